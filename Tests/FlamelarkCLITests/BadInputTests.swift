import Foundation
import Testing

@Suite struct BadInputTests {
  private static let verbs: [[String]] = [
    ["blame"], ["frames"], ["info"], ["export", "--as", "trace-event"],
  ]

  @Test(arguments: verbs)
  func aFileThatCannotBeReadIsOneSentence(_ verb: [String]) throws {
    let folder = try TemporaryFolder()
    let missing = folder.url.appending(path: "missing.lark").path
    var command = try Command(arguments: verb + [missing])
    #expect(command.errors == "flamelark: can't read \(missing): No such file or directory\n")
    #expect(command.status == 2)
    command = try Command(arguments: verb + [folder.url.path])
    #expect(command.errors == "flamelark: can't read \(folder.url.path): Is a directory\n")
    #expect(command.status == 2)
    #expect(command.output == "")
  }

  @Test(arguments: verbs)
  func aFileThatIsNoTraceIsOneSentence(_ verb: [String]) throws {
    let folder = try TemporaryFolder()
    var files: [String: [UInt8]] = [
      "empty": [], "text": Array("Dear diary,\n".utf8), "spaces": Array("  \n".utf8),
      "number": Array("12".utf8), "object": Array("{}".utf8), "list": Array("[]".utf8),
      "gzip cut": [0x1F, 0x8B, 8, 0],
      "binary": (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 ^ $0 >> 3) },
    ]
    files["zeros"] = Array(repeating: 0, count: 4096)
    for (name, bytes) in files {
      let path = try folder.file(name, bytes)
      let command = try Command(arguments: verb + [path])
      // An empty list is a Trace Event file in which nothing happened: it can be told about.
      guard !(["info", "export"].contains(verb[0]) && (name == "list" || name == "object")) else {
        continue
      }
      #expect(command.status == 2, "\(name)")
      #expect(command.output == "", "\(name)")
      #expect(command.errors.hasPrefix("flamelark: "), "\(name)")
      #expect(command.errors.contains(path), "\(name): \(command.errors)")
      #expect(command.errors.split(separator: "\n").count == 1, "\(name): \(command.errors)")
    }
  }

  @Test func aNameCannotCommandTheTerminal() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "\u{1B}[2Jx\n.lark").path
    let command = try Command("blame", path)
    #expect(command.status == 2)
    #expect(command.errors.contains(#"\u{1b}[2Jx"#))
    #expect(!command.errors.contains("\u{1B}"))
  }
}
