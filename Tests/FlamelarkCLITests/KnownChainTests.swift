import FlamelarkAnalysis
import FlamelarkTrace
import Foundation
import Testing

/// Programs that know who let them wait, against what the trace and blame say of it.
///
/// Who it was holds in each late frame. Times hold in the median of the late frames, since the machine may
/// keep a thread from running at any time.
@Suite(.serialized) struct KnownChainTests {
  /// One who works, as soon as the one before it has, and then lets the next one go on.
  struct Worker: Sendable {
    let work: String
    /// nil: it is a task, or the loop.
    let thread: String?
    /// By what the next one waits for it; nil: it is the loop.
    let link: CriticalLink?
    /// What that wait is called.
    let wait: String?

    init(
      _ work: String, on thread: String? = nil, by link: CriticalLink? = nil, _ wait: String? = nil
    ) {
      (self.work, self.thread, self.link, self.wait) = (work, thread, link, wait)
    }
  }

  struct Chain: Sendable, CustomTestStringConvertible {
    let scenario: String
    /// In the order of time: the one with the long work first, the loop last.
    let workers: [Worker]
    var testDescription: String { scenario }
  }

  static let chains = [
    Chain(
      scenario: "chain-inversion",
      workers: [
        Worker("tidy", on: "middle", by: .lock, "second"),
        Worker("write", on: "low", by: .lock, "shared"),
        Worker("use"),
      ]),
    Chain(
      scenario: "chain-of-four",
      workers: [
        Worker("read", on: "reader", by: .condition, "blocks"),
        Worker("write", on: "writer", by: .queue, "disk"),
        Worker("pack", on: "packer", by: .semaphore, "packed"),
        Worker("save", on: "saver", by: .lock, "page"),
        Worker("draw"),
      ]),
    Chain(
      scenario: "chain-of-tasks",
      workers: [
        Worker("scan", by: .await, "parsed"),
        Worker("store", by: .semaphore, "done"),
        Worker("show"),
      ]),
  ]

  private struct Run {
    let trace: Trace
    let series: Trace.FrameSeries
    let log: ChainLog
    /// What the program's clock says at time 0 of the trace.
    let zero: Int64
  }

  private func run(_ chain: Chain) throws -> Run {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "chain.lark").path
    let result = try Command.run(
      Command.tool("RecorderProbe"), [chain.scenario, path], in: nil, input: nil)
    try #require(result.status == 0, "\(result.errors)")
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    #expect(trace.issues == [])
    let log = ChainLog(result.output)
    let series = try #require(trace.frameSeries.first)
    #expect(log.late.count == 6 && log.works.count == 60 * chain.workers.count)
    return Run(
      trace: trace, series: series, log: log, zero: try #require(log.zero(of: series.frames)))
  }

  @Test(arguments: chains) func eachWaitNamesTheOneWhoEndedIt(chain: Chain) throws {
    let run = try run(chain)
    for worker in chain.workers {
      guard let name = worker.wait, let link = worker.link else { continue }
      let waits = run.trace.waits.filter { run.trace.name(ofSpan: $0.span) == name }
      var errors: [Double] = []
      for frame in run.log.late {
        let fact = try #require(run.log.waits.first { $0.frame == frame && $0.name == name })
        let wait = try #require(
          waits.first { wait in
            let end = run.trace.spans.end[wait.span] + run.zero
            return fact.range.contains(end)
          }, "\(name) in frame \(frame)")
        #expect(wait.kind.rawValue == link.rawValue)
        if let thread = worker.thread {
          #expect(wait.endedByTrack.map { run.trace.tracks[$0].role } == thread)
        } else {
          #expect(wait.endedByTask != nil)
        }
        let length = run.trace.spans.end[wait.span] - run.trace.spans.start[wait.span]
        errors.append(abs(Double(length) / Double(fact.length) - 1))
      }
      #expect(errors.median <= 0.05, "\(name): \(errors)")
    }
  }

  @Test(arguments: chains) func theStepsLeadThroughTheChainInItsOrder(chain: Chain) throws {
    let run = try run(chain)
    let blame = Blame(of: run.trace, series: run.series)
    let names = chain.workers.map(\.work)
    var lengthErrors: [String: [Double]] = [:]
    var startErrors: [String: [Double]] = [:]
    for frame in run.log.late {
      let hitch = try #require(blame.hitches.first { $0.frame.number == frame }, "\(frame)")
      let steps = blame.steps(of: hitch, in: run.trace).filter { step in
        step.path.last.map(names.contains) ?? false
      }
      var order: [String] = []
      for name in steps.compactMap(\.path.last) where order.last != name { order.append(name) }
      #expect(order == names, "frame \(frame)")
      for (place, worker) in chain.workers.enumerated() {
        let own = steps.filter { $0.path.last == worker.work }
        #expect(own.allSatisfy { $0.hops == names.count - 1 - place && $0.link == worker.link })
        if let thread = worker.thread {
          #expect(own.allSatisfy { run.trace.tracks[$0.track].role == thread })
        }
        let fact = try #require(run.log.work(worker.work, in: frame))
        // Of the first one only what the loop waited for.
        let wait = try #require(chain.workers[names.count - 2].wait)
        let isFirst = place == 0
        let expected =
          isFirst ? run.log.time(of: worker.work, in: frame, during: wait) : fact.length
        let expectedStart = fact.range.upperBound - expected
        let length = own.reduce(0) { $0 + $1.range.upperBound - $1.range.lowerBound }
        lengthErrors[worker.work, default: []].append(
          abs(Double(length) / Double(expected) - 1))
        let start = try #require(own.first).range.lowerBound + run.zero
        startErrors[worker.work, default: []].append(
          abs(Double(start - expectedStart)) / Double(expected))
      }
    }
    for name in names {
      #expect(lengthErrors[name, default: []].median <= 0.05, "\(name): \(lengthErrors)")
      #expect(startErrors[name, default: []].median <= 0.05, "\(name): \(startErrors)")
    }
  }

  @Test(arguments: chains) func theLongWorkIsTheFirstCause(chain: Chain) throws {
    let run = try run(chain)
    let blame = Blame(of: run.trace, series: run.series)
    let worker = chain.workers[0]
    let first = try #require(blame.causes.first)
    #expect(first.kind == .span)
    #expect(first.path.last == worker.work)
    #expect(first.link == worker.link)
    if let thread = worker.thread { #expect(first.thread == thread) }

    // By the log alone: a late frame's lateness, in the proportion of what the loop waited longer for this
    // work than in good frames to what the frame took longer than they.
    let log = run.log
    let wait = try #require(chain.workers[chain.workers.count - 2].wait)
    let length = { (frame: Int) in Double(log.marks[frame + 1] - log.marks[frame]) }
    let good = (0..<60).filter { length($0) <= 100_000_000 }
    func mean(_ value: (Int) -> Double) -> Double {
      good.reduce(0) { $0 + value($1) } / Double(good.count)
    }
    let waitedFor = { (frame: Int) in Double(log.time(of: worker.work, in: frame, during: wait)) }
    let (normalTime, normalLength) = (mean(waitedFor), mean(length))
    var errors: [Double] = []
    var rightFirst = 0
    for frame in log.late {
      let part = (waitedFor(frame) - normalTime) / (length(frame) - normalLength)
      let truth = (length(frame) - 100_000_000) * part
      let hitch = try #require(blame.hitches.first { $0.frame.number == frame })
      if hitch.causes.first?.path.last == worker.work { rightFirst += 1 }
      let found = hitch.causes.filter { $0.path.last == worker.work }.reduce(0) { $0 + $1.blame }
      errors.append(abs(Double(found) / truth - 1))
    }
    #expect(errors.median <= 0.05, "\(errors)")
    #expect(rightFirst >= 5, "in \(rightFirst) of 6 late frames")
  }
}

extension Array<Double> {
  /// The one in the middle, above all others if there is none.
  fileprivate var median: Double { isEmpty ? .infinity : sorted()[count / 2] }
}
