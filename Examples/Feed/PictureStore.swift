import Flamelark

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The pictures of the feed: files in a temporary folder, and what was decoded of them.
final class PictureStore {
  struct FileError: Error {
    let message: String
  }

  private let folder: String
  private let paths: [String]
  private let keeps: Bool
  private var kept: [Int: Picture] = [:]

  /// Writes `count` pictures to a new folder. With `keeps` each is decoded once, here.
  init(count: Int, side: Int, keeps: Bool, using numbers: inout SeededNumbers) throws(FileError) {
    folder = try Self.temporaryFolder()
    paths = (0..<count).map { [folder] in "\(folder)/\($0).picture" }
    self.keeps = keeps
    for path in paths {
      try Self.write(PictureCode.encode(.made(side: side, using: &numbers)), to: path)
    }
    guard keeps else { return }
    for number in paths.indices { kept[number] = load(number) }
  }

  deinit {
    for path in paths { unsafe unlink(path) }
    unsafe rmdir(folder)
  }

  /// The picture with this number, decoded if it is not at hand.
  func picture(_ number: Int) -> Picture? {
    kept[number] ?? load(number)
  }

  private func load(_ number: Int) -> Picture? {
    withSpan("image.decode") {
      Self.read(paths[number]).flatMap(PictureCode.decode)
    }
  }

  private static func temporaryFolder() throws(FileError) -> String {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/feed-XXXXXX".utf8CString)
    guard let folder = unsafe mkdtemp(&template) else {
      throw FileError(message: "can't make a folder for the pictures in \(parent)")
    }
    return unsafe String(cString: folder)
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    guard let file = unsafe fopen(path, "wb") else {
      throw FileError(message: "can't write \(path)")
    }
    let written = unsafe fwrite(bytes, 1, bytes.count, file)
    guard unsafe fclose(file) == 0, written == bytes.count else {
      throw FileError(message: "can't write all of \(path): is the disk full?")
    }
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = unsafe fopen(path, "rb") else { return nil }
    defer { unsafe fclose(file) }
    guard unsafe fseek(file, 0, SEEK_END) == 0 else { return nil }
    let size = unsafe ftell(file)
    guard size > 0, unsafe fseek(file, 0, SEEK_SET) == 0 else { return nil }
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = unsafe fread(buffer.baseAddress, 1, size, file)
    }
  }
}
