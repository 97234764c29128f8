#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A trace file and a live file that did not exist before.
struct NewFiles {
  let path: String
  let trace: OwnFile
  let live: OwnFile

  var livePath: String { path + ".live" }

  /// Creates the files at `path`, or with a number in the name if one of them exists.
  init(path asked: String) throws(RecordingError) {
    let wanted = Self.expand(asked)
    for number in 1...9999 {
      let path = number == 1 ? wanted : Self.numbered(wanted, number)
      guard let trace = OwnFile(creating: path) else {
        if errno == EEXIST { continue }
        throw RecordingError(.cannotCreateFile, path: path, errno: errno)
      }
      guard let live = OwnFile(creating: path + ".live") else {
        let code = errno
        unsafe unlink(path)
        if code == EEXIST { continue }
        throw RecordingError(.cannotCreateFile, path: path + ".live", errno: code)
      }
      if number > 1 {
        StandardError.say("\(wanted) exists, so this recording goes to \(path)")
      }
      self.path = path
      self.trace = trace
      self.live = live
      return
    }
    throw RecordingError(.cannotCreateFile, path: wanted, errno: EEXIST)
  }

  func remove() {
    unsafe unlink(path)
    unsafe unlink(livePath)
  }

  /// `%p` is the process id, `%%` a percent sign.
  private static func expand(_ path: String) -> String {
    var result = ""
    var isMark = false
    for character in path {
      if isMark {
        result += character == "p" ? String(getpid()) : character == "%" ? "%" : "%\(character)"
        isMark = false
      } else if character == "%" {
        isMark = true
      } else {
        result.append(character)
      }
    }
    return isMark ? result + "%" : result
  }

  /// `game.lark` becomes `game.2.lark`.
  private static func numbered(_ path: String, _ number: Int) -> String {
    let nameStart = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    guard let dot = path[nameStart...].lastIndex(of: "."), dot > nameStart else {
      return "\(path).\(number)"
    }
    return "\(path[..<dot]).\(number)\(path[dot...])"
  }
}
