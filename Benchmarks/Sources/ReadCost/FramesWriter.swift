/// Adds to what ``TraceWriter`` writes: the frames of a loop that waits for three other threads.
///
/// Some 200 paths of spans. Each frame asks a worker for something and waits until that is done, meets a
/// lock that a third thread has, and hands over to a fourth, which draws. Three in a hundred take 20 ms
/// more in one span, of the loop or of the worker, where 5 to 6 are usual.
struct FramesWriter {
  private var writer: TraceWriter
  private var main = TraceWriter.Thread(key: 1)
  private var worker = TraceWriter.Thread(key: 2)
  private var render = TraceWriter.Thread(key: 3)
  private var saver = TraceWriter.Thread(key: 4)
  private var flow: UInt64 = 0
  /// How many groups of six spans the loop, the worker and the drawing thread have in a frame.
  private let groups: (main: Int, worker: Int, render: Int)

  private static let millisecond = TraceWriter.ticksPerSecond / 1000
  private static let microsecond = TraceWriter.ticksPerSecond / 1_000_000
  private static let interval = TraceWriter.ticksPerSecond / 60
  /// Call sites are counted from 1: those of groups come first, six each.
  private static let groupSites: UInt64 = 6 * 34
  private static let waitSite = groupSites + 1
  private static let lockSite = groupSites + 2
  private static let saveSite = groupSites + 3
  private static let flowSite = groupSites + 4

  init(_ writer: TraceWriter, spansPerFrame: Int) {
    self.writer = writer
    // Three spans are in no group: what waits, what waits for the lock, what has it.
    let count = max(3, (spansPerFrame - 3) / 6)
    groups = (count - count / 4 - count / 6, count / 4, count / 6)
  }

  mutating func write(frameCount: Int) {
    writer.writeHeader()
    writeDefinitions()
    var begin = TraceWriter.start + Self.interval
    for number in 0..<frameCount {
      let end = frame(UInt64(number), from: begin)
      begin += max(1, (end - begin + Self.interval - 1) / Self.interval) * Self.interval
    }
    var last = begin
    for var thread in [main, worker, render, saver] {
      writer.flush(&thread)
      last = max(last, thread.tick)
    }
    writer.writeEnd(last)
  }

  private mutating func writeDefinitions() {
    var bytes = Bytes()
    for site in 1...Self.flowSite {
      bytes.add(string: UInt32(site), "function \(site)")
      bytes.add(record: 2, [site | site << 32, site << 32])
    }
    for (index, name) in ["main", "worker 1", "render", "saver", "loop"].enumerated() {
      let string = UInt32(Self.flowSite) + 1 + UInt32(index)
      bytes.add(string: string, name)
      if index < 4 {
        let key = UInt64(index + 1)
        bytes.add(record: 3, [key | (76 + key) << 32, UInt64(string), TraceWriter.start])
      } else {
        bytes.add(record: 6, [1 | UInt64(string) << 32, writer.nanoseconds(Self.interval)])
      }
    }
    writer.writeChunk(
      kind: 2, key: 0, sequence: 1, from: TraceWriter.start, to: TraceWriter.start, bytes.bytes)
  }

  /// Writes a frame.
  ///
  /// - Returns: The tick at which its loop was ready.
  private mutating func frame(_ number: UInt64, from begin: UInt64) -> UInt64 {
    main.tick = begin
    let start = writer.nanoseconds(begin)
    let interval = writer.nanoseconds(Self.interval)
    let unset: UInt64 = 1 << 63
    main.records += [
      begin << 8, extended(5, id: 1, units: 6), number, start, start + interval, interval, start,
      unset, unset, 1, 0, 0,
    ]
    let isLate = writer.next(100) < 3
    // Which group has the span that takes long: of the loop, then of the worker.
    let slow = isLate ? Int(writer.next(UInt64(groups.main + groups.worker))) : -1
    for index in 0..<groups.main {
      if index == groups.main * 3 / 4 {
        let asked = link(from: main.tick, in: \.main)
        runWorker(asked, number: number, slow: slow - groups.main)
      }
      group(index, of: 0..<20, number: number, isSlow: index == slow, in: \.main)
      if index == groups.main / 2 { meetLock(number) }
    }
    wait(site: Self.waitSite, kind: 2, resource: 1, until: worker.tick, ender: 2)
    let handedOver = link(from: main.tick, in: \.main)
    main.tick += Self.microsecond
    main.records += [
      main.tick << 8, extended(6, id: 1, units: 2) | 1 << 48, number,
      writer.nanoseconds(main.tick),
    ]
    let end = main.tick
    arrive(handedOver, in: \.render)
    for index in 0..<groups.render { group(index, of: 30..<34, number: number, in: \.render) }
    if main.records.count >= 8000 { writer.flush(&main) }
    if worker.records.count >= 8000 { writer.flush(&worker) }
    if render.records.count >= 8000 { writer.flush(&render) }
    if saver.records.count >= 8000 { writer.flush(&saver) }
    return end
  }

  private mutating func runWorker(_ link: (number: UInt64, tick: UInt64), number: UInt64, slow: Int)
  {
    arrive(link, in: \.worker)
    for index in 0..<groups.worker {
      group(index, of: 20..<30, number: number, isSlow: index == slow, in: \.worker)
    }
  }

  /// A third thread has a lock for a while; the loop waits for it, if it still has it.
  private mutating func meetLock(_ number: UInt64) {
    saver.tick = max(saver.tick, main.tick - Self.millisecond / 2)
    let start = saver.tick
    saver.tick += Self.millisecond / 4 + writer.next(Self.millisecond / 2)
    span(Self.saveSite, from: start, depth: 0, in: \.saver)
    wait(site: Self.lockSite, kind: 1, resource: 2, until: saver.tick, ender: 4)
  }

  /// A span with five others in it, of those that are for a thread: always the first ones, but for one
  /// that changes.
  private mutating func group(
    _ index: Int, of choice: Range<Int>, number: UInt64, isSlow: Bool = false,
    in thread: WritableKeyPath<Self, TraceWriter.Thread>
  ) {
    let place = index == 0 ? Int(number) % choice.count : index % choice.count
    let site = UInt64(choice.lowerBound + place) * 6 + 1
    let start = self[keyPath: thread].tick
    for leaf in 1...5 as ClosedRange<UInt64> {
      let begin = self[keyPath: thread].tick + Self.microsecond
      self[keyPath: thread].tick =
        begin + Self.millisecond / 20 + writer.next(Self.millisecond / 12)
      if isSlow, leaf == 3 { self[keyPath: thread].tick += 20 * Self.millisecond }
      span(site + leaf, from: begin, depth: 1, in: thread)
    }
    self[keyPath: thread].tick += Self.microsecond
    span(site, from: start, depth: 0, in: thread)
  }

  private mutating func span(
    _ site: UInt64, from start: UInt64, depth: UInt64,
    in thread: WritableKeyPath<Self, TraceWriter.Thread>
  ) {
    self[keyPath: thread].records.append(start << 8 | depth)
    self[keyPath: thread].records.append((self[keyPath: thread].tick - start) << 32 | site)
  }

  /// The loop waits for another thread, unless that has been there.
  private mutating func wait(
    site: UInt64, kind: UInt64, resource: UInt64, until end: UInt64, ender: UInt64
  ) {
    guard end > main.tick else { return }
    let woken = end + 5 * Self.microsecond
    main.records += [
      main.tick << 8, extended(15, id: site, units: 4) | kind << 48, woken - main.tick, 0, resource,
      ender, 0, end,
    ]
    main.tick = woken
  }

  /// A link begins on a thread.
  private mutating func link(
    from tick: UInt64, in thread: WritableKeyPath<Self, TraceWriter.Thread>
  ) -> (number: UInt64, tick: UInt64) {
    flow += 1
    self[keyPath: thread].records += [
      tick << 8, extended(17, id: Self.flowSite, units: 2), flow, 0,
    ]
    return (flow, tick)
  }

  /// It ends on another, a while later, or when that has time.
  private mutating func arrive(
    _ link: (number: UInt64, tick: UInt64), in thread: WritableKeyPath<Self, TraceWriter.Thread>
  ) {
    self[keyPath: thread].tick = max(
      self[keyPath: thread].tick + Self.microsecond, link.tick + 20 * Self.microsecond)
    self[keyPath: thread].records += [
      self[keyPath: thread].tick << 8, extended(17, id: Self.flowSite, units: 2) | 1 << 48,
      link.number, 0,
    ]
  }

  /// The second word of a record that is no plain span.
  private func extended(_ kind: UInt64, id: UInt64, units: UInt64) -> UInt64 {
    id | 1 << 31 | kind << 32 | units << 40
  }
}
