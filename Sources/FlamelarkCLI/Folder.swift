internal import FlamelarkAnalysis
internal import FlamelarkReport

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#else
#error("which libc?")
#endif

/// A folder of traces.
struct Folder {
  private let path: String
  /// The names of what is in it, ascending; without those that begin with a dot.
  private let names: [String]

  /// Lists a folder.
  init(at path: String) throws(Complaint) {
    self.path = path
    guard let folder = unsafe opendir(path) else {
      throw Complaint("can't list \(path): \(Terminal.errorText()); --baseline takes a folder")
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    self.names = names.sorted()
  }

  /// The runs in it. What can't be read as one is left out, with why.
  func runs(_ files: RunFiles) -> (files: [String], runs: [RunFigures], leftOut: [String]) {
    var result: (files: [String], runs: [RunFigures], leftOut: [String]) = ([], [], [])
    for name in names {
      // What a killed program left is read with the trace beside it.
      if name.hasSuffix(".live"), names.contains(String(name.dropLast(5))) { continue }
      let file = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
      do {
        guard Self.isFile(file) else {
          result.leftOut.append("\(file) is no file")
          continue
        }
        result.runs.append(try files.figures(of: file))
        result.files.append(file)
      } catch let complaint as Complaint {
        result.leftOut.append(Self.firstLine(complaint.sentence))
      } catch {
        result.leftOut.append(Self.firstLine("\(error)"))
      }
    }
    return result
  }

  /// What to say when no run is in it.
  func hasNone(_ leftOut: [String]) -> Complaint {
    let first = leftOut.first.map { "; \($0)" } ?? ""
    let rest = leftOut.count > 1 ? ", and \(leftOut.count - 1) more" : ""
    return Complaint("no trace of \(path) can be compared\(first)\(rest)")
  }

  private static func firstLine(_ sentence: String) -> String {
    String(sentence.prefix { $0 != "\n" })
  }

  private static func isFile(_ path: String) -> Bool {
    var facts = stat()
    guard unsafe stat(path, &facts) == 0 else { return false }
    return facts.st_mode & S_IFMT == S_IFREG
  }
}
