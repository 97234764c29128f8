import FlamelarkInterchange
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@Suite(.enabled(if: Corpus.isPresent, "FLAMELARK_CORPUS names no folder"))
struct CorpusTests {
  @Test func everyFileIsReadOrRefusedInASentence() throws {
    var readable = 0
    for name in try Corpus.files() where name.hasSuffix(".json") || name.hasSuffix(".json.gz") {
      do {
        let trace = try readCorpus(name)
        readable += 1
        print(
          name, trace.tracks.count, trace.spans.count, trace.markers.count,
          trace.issues.map { "\($0.count) \($0.text)" })
      } catch let error as ImportError {
        let sentence = error.description
        print(name, "ERR", sentence)
        #expect(!sentence.contains("\n") && sentence.contains(";"), "\(name): \(sentence)")
      }
    }
    #expect(readable > 100)
  }
}
