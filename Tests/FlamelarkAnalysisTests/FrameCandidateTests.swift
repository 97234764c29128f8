import FlamelarkAnalysis
import FlamelarkTrace
import Testing

@Suite struct FrameCandidateTests {
  @Test func anEmptyTraceHasNoFrames() {
    #expect(Trace().frameCandidates().isEmpty)
  }
}
