/// Runs a program with a loop, a second stage behind it, and threads that it waits for.
///
/// `main` begins a frame, asks `worker` for a job, works, reads what `database` may have locked,
/// awaits the job and hands over to `render`. `encoder` is busy beside it and makes nothing late.
struct Simulation<Log: EventLog> {
  let plan: Plan
  /// How much of each injection is in: 0…1, by its number.
  let scale: [Double]
  private(set) var log: Log
  private(set) var outcome: Outcome

  /// The time of `main`, and when the other threads are free.
  private var now: Int64 = 0
  private var renderFree: Int64 = 0
  private var workerFree: Int64 = 0
  private var databaseFree: Int64 = 0
  private var encoderFree: Int64 = 0
  private var outputFree: Int64 = 0
  private var frame = 0
  /// The preemption of this frame that is still to come.
  private var preemption: Int64 = 0

  init(_ plan: Plan, scale: [Double] = Simulation.everything, log: Log) {
    self.plan = plan
    self.scale = scale
    self.log = log
    outcome = Outcome(of: plan)
  }

  /// The scale of a run as it is planned.
  static var everything: [Double] { Array(repeating: 1, count: Injection.allCases.count) }

  mutating func run() {
    var timestamp: Int64 = 0
    for frame in 0..<plan.frameCount {
      self.frame = frame
      let times = runFrame(timestamp)
      timestamp += plan.interval[frame]
      // A display link doesn't call before the loop is free again.
      if !plan.cell.isPresented { timestamp = max(timestamp, now) }
      let interlude = plan.interludes[frame + 1]
      if let interlude { timestamp = max(timestamp, now) + interlude.duration }
      outcome.add(
        times, next: frame + 1 < plan.frameCount ? timestamp : nil, interlude: interlude?.kind)
    }
  }

  private func amount(_ injection: Injection) -> Int64 {
    let amount = plan[frame, injection]
    return amount == 0 ? 0 : Int64((Double(amount) * scale[injection.rawValue]).rounded())
  }

  private mutating func runFrame(_ timestamp: Int64) -> FrameTimes {
    let noise = plan.noise[frame]
    now = max(timestamp, now)
    let due = FrameDue(
      number: frame, timestamp: timestamp,
      target: timestamp + plan.interval[frame] * (plan.cell.isPresented ? 2 : 1),
      interval: plan.interval[frame], begin: now,
      isTargetGiven: !plan.withoutTarget.contains(frame),
      isIntervalGiven: plan.tellsInterval)
    log.begin(due)
    preemption = amount(.preempted)
    if plan.hasRoot { log.open(.frame, on: .main, at: now) }
    if amount(.setup) > 0 { work(.setup, amount(.setup)) }
    work(.input, noise.input)
    work(.animate, noise.animate + amount(.drift), at: 0.1)
    let parsed = runWorker()
    runEncoder(timestamp)
    let locked = runDatabase()
    runLayout(noise)
    runCells(noise)
    spend(150_000 + amount(.uninstrumented))
    read(locked)
    waitForJob(until: parsed)
    work(.flush, noise.flush + amount(.flush))
    commit(noise)
    let stageLink = 2 * frame + 1
    if plan.hasStageLink {
      log.link(stageLink, from: .submit, on: .main, at: now, ends: false)
    }
    spend(1_000)
    if plan.hasRoot { log.close(.main, at: now, as: .stage(frame: frame)) }
    let end = now
    let times = FrameTimes(due: due, end: end, presented: runStages(noise, link: stageLink))
    log.end(times)
    return times
  }
}

// MARK: What the loop does

extension Simulation {
  private mutating func spend(_ duration: Int64) {
    log.spend(now..<now + duration, on: .main, as: .running)
    now += duration
  }

  /// Work in the innermost span, in whose midst the thread may lose its processor. `place` is where
  /// in the frame that is.
  private mutating func spend(_ duration: Int64, at place: Double) {
    guard preemption > 0, abs(place - plan.noise[frame].preemption) < 0.17 else {
      spend(duration)
      return
    }
    spend(duration / 2)
    losePreemption()
    spend(duration - duration / 2)
  }

  private mutating func losePreemption() {
    log.spend(now..<now + preemption, on: .main, as: .preempted)
    now += preemption
    preemption = 0
  }

  private mutating func open(_ role: Role) { log.open(role, on: .main, at: now) }

  /// The innermost span ends. Without a root span each of the outermost is a stage.
  private mutating func close(outermost: Bool = false) {
    log.close(.main, at: now, as: outermost && !plan.hasRoot ? .stage(frame: frame) : .plain)
  }

  private mutating func work(_ role: Role, _ duration: Int64, at place: Double = -1) {
    open(role)
    spend(duration, at: place)
    close(outermost: true)
  }

  private mutating func runLayout(_ noise: Plan.Noise) {
    let part = noise.layout / 10
    open(.layout)
    spend(noise.layout - 7 * part, at: 0.35)
    open(.measure)
    spend(3 * part)
    open(.measure)
    spend(2 * part)
    open(.measure)
    spend(2 * part + amount(.measure))
    close()
    close()
    close()
    close(outermost: true)
  }

  private mutating func runCells(_ noise: Plan.Noise) {
    let decode = (noise.hasDecode ? noise.decode : 0) + amount(.decode)
    let collect = amount(.collect)
    // More cells of 0.52 ms each; the last one is a part of one.
    let more = Double(amount(.configure)) / 520_000
    open(.cells)
    for cell in 0..<noise.cells + Int(more.rounded(.up)) {
      let part = min(1, more - Double(cell - noise.cells))
      func time(_ time: Int64) -> Int64 {
        cell < noise.cells ? time : Int64(Double(time) * part)
      }
      open(.configure)
      spend(time(noise.configure[cell % 16]), at: cell == 0 ? 0.6 : -1)
      open(.text)
      spend(time(noise.text[cell % 16]))
      close()
      if cell == 1, decode > 0 {
        open(.image)
        open(.decode)
        spend(decode)
        close()
        close()
      }
      if cell == 2, collect > 0 {
        open(.collect)
        spend(collect)
        close()
      }
      close()
    }
    close(outermost: true)
  }

  private mutating func read(_ locked: Range<Int64>) {
    open(.read)
    if locked.contains(now) {
      open(.lock)
      log.spend(now..<locked.upperBound, on: .main, as: .blocked(until: .database))
      now = locked.upperBound
      log.close(.main, at: now, as: .lock(heldBy: .database))
    }
    spend(200_000)
    close(outermost: true)
  }

  private mutating func waitForJob(until parsed: Int64) {
    open(.await)
    if now < parsed {
      log.spend(now..<parsed, on: .main, as: .blocked(until: .worker))
      now = parsed
    }
    spend(500)
    log.close(.main, at: now, as: .signal(from: .worker, at: parsed))
  }

  private mutating func commit(_ noise: Plan.Noise) {
    open(.commit)
    spend(noise.commit, at: 0.9)
    // Where no span was at that place.
    if preemption > 0 { losePreemption() }
    close(outermost: true)
  }
}

// MARK: What the other threads do

extension Simulation {
  /// The job that this frame asks for: when it is done.
  private mutating func runWorker() -> Int64 {
    let link = 2 * frame + 2
    log.link(link, from: .request, on: .main, at: now, ends: false)
    let start = max(now, workerFree)
    log.open(.job, on: .worker, at: start)
    log.link(link, from: .job, on: .worker, at: start, ends: true)
    log.spend(start..<start + 2_000, on: .worker, as: .running)
    let end = work(
      .parse, plan.noise[frame].parse + amount(.parse), on: .worker, from: start + 2_000)
    workerFree = end + 1_000
    log.spend(end..<workerFree, on: .worker, as: .running)
    log.close(.worker, at: workerFree, as: .plain)
    return end
  }

  private mutating func runEncoder(_ timestamp: Int64) {
    let start = max(timestamp, encoderFree)
    if plan.cell.isDisturbed { log.mark(frame, on: .encoder, at: start) }
    encoderFree = work(.encode, plan.noise[frame].encode, on: .encoder, from: start)
  }

  /// When the lock is held by another thread in this frame.
  private mutating func runDatabase() -> Range<Int64> {
    let isLong = plan[frame, .save] > 0 || plan[frame, .inversion] > 0
    let start = max(databaseFree, now + (isLong ? 100_000 : plan.noise[frame].holdDelay))
    log.open(.transaction, on: .database, at: start)
    log.open(.save, on: .database, at: start)
    let hold = plan.noise[frame].hold
    var time = start
    func spend(_ duration: Int64, as state: ThreadState) {
      log.spend(time..<time + duration, on: .database, as: state)
      time += duration
    }
    spend(hold / 2, as: .running)
    spend(amount(.inversion), as: .preempted)
    spend(hold - hold / 2 + amount(.save), as: .running)
    log.close(.database, at: time, as: .plain)
    log.close(.database, at: time, as: .plain)
    databaseFree = time
    return start..<time
  }

  /// The stages behind the loop: when the last one ends.
  private mutating func runStages(_ noise: Plan.Noise, link: Int) -> Int64 {
    let start = max(now, renderFree)
    log.open(.render, on: .render, at: start)
    if plan.hasStageLink { log.link(link, from: .submit, on: .render, at: start, ends: true) }
    var time = work(.prepare, noise.prepare, on: .render, from: start)
    time = work(.draw, noise.draw + amount(.draw), on: .render, from: time)
    time = work(.present, noise.present, on: .render, from: time)
    log.close(.render, at: time, as: .stage(frame: frame))
    renderFree = time
    guard plan.cell.isDisturbed else { return time }
    let output = max(time, outputFree)
    log.open(.output, on: .output, at: output)
    time = work(.scan, noise.scan + amount(.scan), on: .output, from: output)
    log.close(.output, at: time, as: .stage(frame: frame))
    outputFree = time
    return time
  }

  private mutating func work(
    _ role: Role, _ duration: Int64, on thread: Thread, from start: Int64
  ) -> Int64 {
    log.open(role, on: thread, at: start)
    log.spend(start..<start + duration, on: thread, as: .running)
    log.close(thread, at: start + duration, as: .plain)
    return start + duration
  }
}
