import FlamelarkTrace

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Trace files of other tools, read in place. The environment variable `FLAMELARK_CORPUS` names
/// the folder; tests that need it are not run without it.
public enum Corpus {
  /// The folder, nil if the environment doesn't name one.
  public static let folder: String? = unsafe getenv("FLAMELARK_CORPUS").map {
    unsafe String(cString: $0)
  }

  /// Whether tests on the corpus can run.
  public static let isPresent = folder != nil

  /// The path of a file of the corpus.
  public static func path(_ file: String) -> String { "\(folder ?? "")/\(file)" }

  /// The text of a file of the corpus.
  public static func text(_ file: String) throws -> String {
    let file = try MappedFile(path: path(file))
    return unsafe String(decoding: file.bytes, as: UTF8.self)
  }

  /// The files that the index lists, in its order.
  public static func files() throws -> [String] {
    try text("INDEX.tsv").split(separator: "\n").dropFirst().compactMap { line in
      line.split(separator: "\t", maxSplits: 1).first.map(String.init)
    }
  }
}
