internal import CFlamelark
internal import Synchronization

/// The program's code as the system's loader has it: the executable and its libraries.
///
/// Looking takes the loader's lock, so it must not be done with the recorder's, and memory.
struct LoadedModules {
  struct Module: Hashable {
    /// What is added to the addresses in its file.
    var base: UInt64
    /// From there to the end of its last part.
    var byteCount: UInt64
    var path: String
    /// Hexadecimal digits, empty: none.
    var buildID: String
  }

  private(set) var modules: [Module] = []

  /// How many were loaded when somebody looked last.
  private static let loadCount = Atomic<UInt64>(0)

  /// What is loaded now.
  static func look() -> LoadedModules {
    loadCount.store(fl_module_load_count(), ordering: .relaxed)
    var result = LoadedModules()
    // What another thread loads meanwhile is seen by its count.
    let expected = fl_list_modules(nil, 0)
    let room = UnsafeMutableBufferPointer<fl_module>.allocate(capacity: expected + 8)
    defer { unsafe room.deallocate() }
    guard let base = room.baseAddress else { return result }
    let count = unsafe min(fl_list_modules(base, room.count), room.count)
    result.modules = (0..<count).map { unsafe Module(base + $0) }
    return result
  }

  /// What is loaded now, nil if nothing was loaded since somebody looked.
  static func lookIfChanged() -> LoadedModules? {
    fl_module_load_count() == loadCount.load(ordering: .relaxed) ? nil : look()
  }
}

extension LoadedModules.Module {
  fileprivate init(_ module: UnsafePointer<fl_module>) {
    unsafe base = module.pointee.base
    unsafe byteCount = module.pointee.bytes
    let name = unsafe withUnsafeBytes(of: module.pointee.path) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    path = name.isEmpty ? SystemFile.executable() : name
    let length = unsafe Int(module.pointee.build_id_bytes)
    buildID = unsafe withUnsafeBytes(of: module.pointee.build_id) { bytes in
      unsafe bytes.prefix(length).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      .joined()
    }
  }
}
