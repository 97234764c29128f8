import FlamelarkFormat
import FlamelarkTrace
import Foundation
import Synchronization
import Testing
import _FlamelarkTestSupport

/// A file whose bytes change while it is read, behind the checksums: some trace comes out, and one that
/// keeps its promises.
@Suite struct ChangingFileTests {
  /// Chunks of nested spans, the last without the span around them if `isCut`.
  private func recording(isCut: Bool) -> [UInt8] {
    var file = RecordingBytes(minor: 1)
    file.add(thread: 1, names: ["a", "b"])
    for chunk in 0..<20 as Range<UInt64> {
      var words: [UInt64] = []
      for round in chunk * 10..<chunk * 10 + 10 {
        let depths = (isCut && round == 199 ? 1 : 0)..<40 as Range<UInt64>
        for depth in depths.reversed() {
          words += file.span(1, round * 1000 + depth..<round * 1000 + 900 - depth, depth: depth)
        }
      }
      file.add(chunkOf: words, thread: 1)
    }
    file.addEnd()
    return file.bytes
  }

  private func packed(_ path: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let copy = try RecordingCopy(of: path)
    _ = unsafe copy.write(packed: true) { unsafe bytes.append(contentsOf: $0) }
    return bytes
  }

  @Test(.serialized, arguments: [false, true], [false, true])
  func someTraceComesOut(_ isPacked: Bool, _ isCut: Bool) throws {
    let path = NSTemporaryDirectory() + "/flamelark-changing-\(UUID().uuidString).lark"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(recording(isCut: isCut)).write(to: URL(fileURLWithPath: path))
    if isPacked { try Data(packed(path)).write(to: URL(fileURLWithPath: path)) }
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let changer = Changer(path, bytes)
    for _ in 0..<60 {
      let trace = try Trace(contentsOf: path)
      try trace.checkInvariants()
      #expect(trace.spans.count <= 8000)
    }
    changer.stop()
    let trace = try Trace(contentsOf: path)
    #expect(trace.spans.count == (isCut ? 7999 : 8000))
    #expect(trace.issues.isEmpty)
  }
}

/// Changes words of a file, each for a moment, on a thread of its own.
private final class Changer: Sendable {
  private let mayGoOn = Atomic(true)
  private let hasStopped = DispatchSemaphore(value: 0)

  init(_ path: String, _ bytes: [UInt8]) {
    let seed = UInt64.random(in: 0...UInt64.max)
    Thread.detachNewThread { [self] in
      var random = SeededGenerator(seed: seed)
      let file = unsafe open(path, O_WRONLY)
      let first = FileHeader.byteCount + ChunkHeader.byteCount
      while mayGoOn.load(ordering: .relaxed) {
        let place = Int.random(in: first..<bytes.count, using: &random) & ~7
        var word = UInt64.random(in: 0...UInt64.max, using: &random)
        unsafe pwrite(file, &word, 8, off_t(place))
        var old = unsafe bytes.withUnsafeBytes { unsafe $0.integer(at: place, as: UInt64.self) }
        unsafe pwrite(file, &old, 8, off_t(place))
      }
      close(file)
      hasStopped.signal()
    }
  }

  func stop() {
    mayGoOn.store(false, ordering: .relaxed)
    hasStopped.wait()
  }
}
