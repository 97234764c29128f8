internal import CFlamelark

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// What makes two traces comparable: the machine, the system and how the program was built. Never who
/// uses it or what it is called.
enum HostFacts {
  /// The properties of a recording that begins now; what the system doesn't tell is left out.
  static func properties() -> [(name: String, value: String)] {
    let cores = sysconf(CInt(_SC_NPROCESSORS_ONLN))
    return [
      ("build", build),
      ("cores", String(cores)),
      ("executable", SystemFile.executable()),
      ("governor", governor(cores: cores)),
      ("kernel", kernel()),
      ("memory", memory()),
      ("processor", processor()),
      ("recorder", recorder),
    ]
    .filter { !$0.value.isEmpty }
  }

  /// Whether this module was built without optimization, as SwiftPM builds a whole program or none of
  /// it.
  private static var build: String {
    var isDebug = false
    // Evaluated only there.
    assert(
      {
        isDebug = true; return true
      }())
    return isDebug ? "debug" : "release"
  }

  /// How a trace that has no spans because of the trait `CompiledOut` says so.
  private static var recorder: String {
    #if CompiledOut
    "flamelark, with spans compiled out"
    #else
    "flamelark"
    #endif
  }

  /// What chooses the frequency of the cores; of cores that differ each once.
  private static func governor(cores: Int) -> String {
    var governors: [String] = []
    for core in 0..<min(max(1, cores), 256) {
      let text = SystemFile.text(
        "/sys/devices/system/cpu/cpu\(core)/cpufreq/scaling_governor")
      // Where the first has none, none has.
      if text.isEmpty, core == 0 { return "" }
      if !text.isEmpty, !governors.contains(text) { governors.append(text) }
    }
    return governors.joined(separator: " ")
  }

  /// The release of the system's kernel.
  private static func kernel() -> String { SystemFile.text("/proc/sys/kernel/osrelease") }

  /// What the machine has, in bytes.
  private static func memory() -> String {
    let (pages, bytes) = (sysconf(CInt(_SC_PHYS_PAGES)), sysconf(CInt(_SC_PAGESIZE)))
    return pages > 0 && bytes > 0 ? String(pages * bytes) : ""
  }

  /// The processor's model.
  private static func processor() -> String {
    let name = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { name in
      guard let base = name.baseAddress else { return "" }
      unsafe fl_processor_name(base, 64)
      return unsafe String(cString: base)
    }
    let words = name.split(separator: " ").joined(separator: " ")
    return words.isEmpty
      ? SystemFile.text("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1") : words
  }
}
