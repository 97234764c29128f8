import FlamelarkTrace
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// A loop on `main` and a stage on `render`, both in the order of frames, 10 ms apart. A frame is due
/// 30 ms after its beginning and is shown as soon as it is both ready and due.
struct PipelineTrace {
  /// What the loop and the stage take of each frame, in milliseconds.
  var app: [Double]
  var render: [Double]
  /// How much later than it could have been each frame was shown, in milliseconds.
  var display: [Int: Double] = [:]
  /// The loop's time of these frames is in a span with another name.
  var slowed: [Int: String] = [:]
  /// Frames that were never shown.
  var dropped: Set<Int> = []
  /// How many threads take frames in turn for the stage.
  var renderThreads = 1

  init(frames: Int, app: Double = 5, render: Double = 5) {
    self.app = Array(repeating: app, count: frames)
    self.render = Array(repeating: render, count: frames)
  }

  func build() throws -> Trace {
    var builder = TraceBuilder()
    builder.track("main")
    var frames: [Trace.Frame] = []
    for (number, time) in app.enumerated() {
      let due = Int64.ms(Double(number) * 10)
      builder.advance(to: max(builder.now, due))
      var frame = Trace.Frame.displayLink(at: due, target: due + .ms(30), begin: builder.now)
      frame.interval = .ms(10)
      builder.span(slowed[number] ?? "update", lasting: .ms(time))
      frame.end = builder.now
      frames.append(frame)
    }
    var drawn = Array(repeating: Int64(0), count: frames.count)
    for thread in 0..<renderThreads {
      builder.track(renderThreads == 1 ? "render" : "render \(thread + 1)")
      for number in stride(from: thread, to: frames.count, by: renderThreads) {
        builder.advance(to: max(builder.now, frames[number].end ?? 0))
        builder.span("draw", lasting: .ms(render[number]))
        builder.stage(ofFrame: number)
        drawn[number] = builder.now
      }
    }
    var shown: Int64 = 0
    for number in frames.indices {
      guard !dropped.contains(number) else {
        frames[number].isDiscarded = true
        continue
      }
      let ready = max(drawn[number], frames[number].target ?? 0)
      shown = max(shown, ready + .ms(display[number] ?? 0))
      frames[number].presented = shown
    }
    builder.frames("screen", mode: .presented, frames)
    return try builder.build()
  }

  func blame() throws -> Blame {
    let trace = try build()
    return Blame(of: trace, series: trace.frameSeries[0])
  }
}
