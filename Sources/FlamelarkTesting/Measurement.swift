internal import Flamelark
internal import FlamelarkTrace

/// A measurement that runs: its turn, its folder and what came of its iterations so far.
struct Measurement {
  private let question: Question
  private let folder: TraceFolder
  private var judged: [JudgedTrace] = []

  /// Begins. Throws if there is nothing to measure or another one runs.
  init(_ question: Question, keepingTracesIn asked: String?) throws {
    try question.check()
    try Turn.take(at: question.place)
    do throws(HitchMeasurementError) {
      folder = try TraceFolder(keepingIn: asked)
    } catch {
      Turn.giveBack()
      throw error
    }
    self.question = question
  }

  /// Lets others measure.
  func end() { Turn.giveBack() }

  /// Starts recording the next iteration.
  func begin() throws -> RecordedIteration {
    let number = judged.count + 1
    let path = folder.file("\(question.place.traceName)-\(number).lark")
    do throws(RecordingError) {
      let recording = try Recording.start(writingTo: path, options: question.options)
      folder.add(recording.path)
      return RecordedIteration(number: number, recording: recording, folder: folder)
    } catch {
      guard error.reason == .alreadyRecording else { throw error }
      throw HitchMeasurementError(.recordsAlready)
    }
  }

  /// Reads what was recorded and judges it.
  mutating func take(_ iteration: RecordedIteration.Facts) throws {
    let trace = try Trace(contentsOf: iteration.path)
    let next = try JudgedTrace(trace, of: iteration, asked: question)
    if let first = judged.first, first.series != next.series {
      throw HitchMeasurementError(.severalSeries([first.series, next.series]))
    }
    judged.append(next)
  }

  /// What came of all iterations.
  var hitches: Hitches { Hitches(judged, selection: question.selection, folder: folder) }
}

/// One iteration while it is recorded.
struct RecordedIteration {
  let number: Int
  let recording: Recording
  let folder: TraceFolder
  private let preemptions = Preemptions.count

  init(number: Int, recording: Recording, folder: TraceFolder) {
    self.number = number
    self.recording = recording
    self.folder = folder
  }

  /// What is known of it without its trace.
  struct Facts {
    var number: Int
    var path: String
    /// How often a thread of this process lost the processor.
    var preemptions: Int
  }

  /// Ends the recording.
  func stop() throws(RecordingError) -> Facts {
    let lost = Preemptions.count - preemptions
    do throws(RecordingError) {
      try recording.stop()
    } catch {
      // What could not be written is in a file beside the trace, which the error speaks of.
      folder.keep()
      throw error
    }
    return Facts(number: number, path: recording.path, preemptions: lost)
  }

  /// Ends the recording of a closure that has thrown: its error is the one to be told.
  func abandon() { try? recording.stop() }
}
