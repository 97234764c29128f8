/// Where in a test something is measured.
struct Place: Sendable {
  let file: StaticString
  let line: UInt32
  let function: StaticString

  /// `ScrollTests.swift:12`, as the compiler names the file.
  var text: String { "\(file):\(line)" }

  /// What its traces are called, without number and extension: `ScrollTests.scrollingIsSmooth`.
  var traceName: String { Self.traceName(file: "\(file)", function: "\(function)") }

  static func traceName(file: String, function: String) -> String {
    let fileName = file.split(separator: "/").last ?? ""
    let parts = [
      fileName.hasSuffix(".swift") ? fileName.dropLast(6) : fileName,
      function.prefix { $0 != "(" },
    ]
    return parts.map { Self.plain($0) }.joined(separator: ".")
  }

  /// A name in a few of the characters that every file system takes: others may be in raw identifiers.
  private static func plain(_ name: Substring) -> String {
    String(name.prefix(60).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}
