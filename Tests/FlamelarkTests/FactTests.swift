import Flamelark
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

extension RecordingTests {
  /// What a recording says of its program and machine.
  @Suite struct FactTests {
    @Test func theProgramAndItsLibrariesAreListedWithTheirBuildIDs() throws {
      let trace = try record { withSpan("span") {} }
      let executable = try #require(trace.source.properties["executable"])
      let program = try #require(trace.modules.first { $0.path == executable })
      #expect(trace.modules.contains { $0.path.contains("/libc.so") })
      #expect(Set(trace.modules.map(\.base)).count == trace.modules.count)
      #expect(trace.modules.allSatisfy { $0.time <= 0 && $0.byteCount > 0 })
      let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
      for module in trace.modules {
        // Code of it lies where it says.
        let lines = maps.split(separator: "\n").filter { $0.hasSuffix(" " + module.path) }
        for line in lines {
          let range = line.prefix { $0 != " " }.split(separator: "-")
          let (first, end) = (UInt64(range[0], radix: 16) ?? 0, UInt64(range[1], radix: 16) ?? 0)
          #expect(first >= module.base, "\(module.path)")
          // The last page is mapped whole.
          #expect(end <= (module.base + module.byteCount + 4095) & ~4095, "\(module.path)")
        }
        guard let told = try buildID(module.path) else { continue }
        #expect(module.buildID == told, "\(module.path)")
      }
      #expect(program.byteCount > 100_000)
    }

    @Test(arguments: ["thread", "call site", "stop"])
    func aLibraryThatIsLoadedLaterIsListedToo(when: String) throws {
      let names = ["libBrokenLocale.so.1", "libanl.so.1", "libnsl.so.1", "libthread_db.so.1"]
      var loaded = ""
      let trace = try record {
        withSpan("before") {}
        for name in names where loaded.isEmpty {
          guard unsafe dlopen(name, RTLD_NOW | RTLD_NOLOAD) == nil,
            let library = unsafe dlopen(name, RTLD_NOW)
          else { continue }
          loaded = name
          switch when {
          case "thread": onThread { withSpan("new thread") {} }
          case "call site": withSpan(SpanName("new call site \(UUID())")) {}
          default: return
          }
          unsafe dlclose(library)
        }
      }
      try #require(!loaded.isEmpty, "none of \(names) is there to be loaded")
      let module = try #require(trace.modules.first { $0.path.hasSuffix("/" + loaded) })
      #expect(module.time > 0)
      #expect(module.time <= trace.range.upperBound + 1_000_000_000)
      if let told = try buildID(module.path) { #expect(module.buildID == told) }
    }

    @Test func nothingIsListedTwice() throws {
      let trace = try record {
        for _ in 0..<20 { onThread { withSpan(SpanName("call site \(UUID())")) {} } }
      }
      let places = trace.modules.map { "\($0.path) \($0.base)" }
      #expect(Set(places).count == places.count)
      #expect(!places.isEmpty)
    }

    @Test func theMachineIsDescribedAndNobodyIsNamed() throws {
      let properties = try record { withSpan("span") {} }.source.properties
      #expect(properties["build"] == "debug" || properties["build"] == "release")
      var system = utsname()
      unsafe uname(&system)
      let release = unsafe withUnsafeBytes(of: system.release) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      #expect(properties["kernel"] == release)
      #expect(Int(properties["cores"] ?? "") ?? 0 > 0)
      #expect(Int(properties["memory"] ?? "") ?? 0 > 1_000_000)
      #expect(
        Set(properties.keys).isSubset(of: [
          "build", "cores", "executable", "governor", "kernel", "memory", "processor", "recorder",
        ]))
      #expect(
        properties.values.allSatisfy { !$0.isEmpty && $0 != ProcessInfo.processInfo.hostName })
    }

    /// The build-id that a tool of the system finds in a file; nil if there is no such file or tool.
    private func buildID(_ path: String) throws -> String? {
      guard FileManager.default.isExecutableFile(atPath: "/usr/bin/readelf"),
        FileManager.default.fileExists(atPath: path)
      else { return nil }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/readelf")
      process.arguments = ["-n", path]
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      try process.run()
      let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return output.firstMatch(of: /Build ID: ([0-9a-f]+)/).map { String($0.1) }
    }
  }
}
