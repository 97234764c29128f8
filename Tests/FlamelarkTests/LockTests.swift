import Flamelark
import FlamelarkTrace
import Foundation
import Synchronization
import Testing
import _FlamelarkTestSupport

extension RecordingTests {
  @Suite struct LockTests {
    /// What the program writes down while it has a lock.
    private struct Log {
      /// Who had it last.
      var last = -1
      /// Of each thread: who had it before, in the order in which the thread had it.
      var before: [[Int]]

      mutating func enter(_ thread: Int) {
        before[thread].append(last)
        last = thread
      }
    }

    @Test func eachWaitForALockNamesWhoGaveItBack() throws {
      let count = 4
      let lock = TracedMutex(Log(before: Array(repeating: [], count: count)), "log")
      let trace = try record {
        onThreads(count) { thread in
          var random = SeededGenerator(seed: UInt64(thread))
          for _ in 0..<300 {
            lock.withLock { log in
              log.enter(thread)
              withSpan("held") { usleep(UInt32.random(in: 0...60, using: &random)) }
            }
          }
        }
      }
      let log = lock.withLock { $0 }
      var waits = 0
      for thread in 0..<count {
        let row = try trace.row(ofThread: thread)
        // A wait comes right before the span of the time in which its thread had the lock.
        var turn = 0
        for span in trace.tracks[row].spans {
          if trace.name(ofSpan: span) == "held" {
            turn += 1
            continue
          }
          #expect(trace.name(ofSpan: span) == "log")
          let wait = try #require(trace.waits.first { $0.span == span })
          #expect(wait.kind == .lock && wait.resource != 0)
          #expect(trace.ender(of: wait) == "t\(log.before[thread][turn])", "turn \(turn)")
          waits += 1
        }
        #expect(turn == 300)
      }
      #expect(waits == trace.waits.count && waits > 0)
      #expect(Set(trace.waits.map(\.resource)).count == 1)
      #expect(trace.issues == [])
    }

    @Test func whatIsFreeWritesNothing() throws {
      let lock = TracedMutex(0, "lock")
      let semaphore = TracedSemaphore(1, "permits")
      let condition = TracedCondition("condition")
      let point = WaitPoint()
      let trace = try record {
        withSpan("around") {
          for _ in 0..<1000 {
            lock.withLock { $0 += 1 }
            lock.withLock(waitingFor: condition, until: { $0 > 0 }) { $0 += 1 }
            condition.signal()
            condition.broadcast()
            semaphore.wait()
            semaphore.signal()
            point.signal()
          }
        }
      }
      #expect(lock.withLock { $0 } == 2000)
      #expect(trace.spans.count == 1 && trace.waits.isEmpty && trace.folded.count == 0)
      #expect(trace.issues == [])
    }

    @Test func aLockGivesBackWhatItsClosureGivesOrThrows() throws {
      struct Failure: Error {}
      struct Single: ~Copyable { var number = 7 }
      let lock = TracedMutex(Single(), "lock")
      #expect(lock.withLock { $0.number } == 7)
      #expect(throws: Failure.self) { try lock.withLock { _ throws(Failure) in throw Failure() } }
      let copy = lock.withLock { value in
        value.number += 1
        return Single(number: value.number)
      }
      #expect(copy.number == 8)
      let optional: Int? = lock.withLock { _ in nil }
      #expect(optional == nil)
    }

    @Test func aThreadWithoutSpansIsNamedToo() throws {
      let lock = TracedMutex(0, "lock")
      let isHeld = DispatchSemaphore(value: 0)
      let waiter = Sleeper()
      let trace = try record {
        onThreads(2) { thread in
          if thread == 0 {
            lock.withLock { _ in
              isHeld.signal()
              waiter.waitUntilAsleep()
            }
          } else {
            isHeld.wait()
            waiter.isAboutToWait()
            lock.withLock { $0 += 1 }
          }
        }
      }
      let wait = try #require(trace.waits.first)
      #expect(trace.ender(of: wait) == "t0")
      #expect(trace.tracks[try trace.row(ofThread: 0)].spans.isEmpty)
      #expect(wait.endedByTask == nil && wait.endedAt == nil)
    }

    /// One recording knows that a thread had the lock, which records in the next one too. Then another has it while nothing is recorded, and keeps
    /// it into the next recording: who that is was never told.
    @Test func whatAnEarlierRecordingKnewIsForgotten() throws {
      let lock = TracedMutex(0, "lock")
      let isHeld = DispatchSemaphore(value: 0)
      let waiter = Sleeper()
      let goesOn = DispatchSemaphore(value: 0)
      let hasEnded = DispatchSemaphore(value: 0)
      let first = SerialThread("first")
      _ = try record { first.wait(for: { lock.withLock { $0 += 1 } }) }
      Thread.detachNewThread {
        lock.withLock { _ in
          isHeld.signal()
          goesOn.wait()
          waiter.waitUntilAsleep()
        }
        hasEnded.signal()
      }
      isHeld.wait()
      let trace = try record {
        first.wait(for: { withSpan("here too") {} })
        onThreads(1) { _ in
          goesOn.signal()
          waiter.isAboutToWait()
          lock.withLock { $0 += 1 }
        }
      }
      hasEnded.wait()
      first.end()
      #expect(trace.tracks.contains { $0.name == "first" && $0.spans.count == 1 })
      let wait = try #require(trace.waits.first)
      #expect(trace.waits.count == 1 && wait.endedByTrack == nil && wait.resource != 0)
    }

    @Test func aShortWaitIsSummedUp() throws {
      let lock = TracedMutex(0, "lock")
      let isHeld = DispatchSemaphore(value: 0)
      let waiter = Sleeper()
      let trace = try record(.init(minimumDuration: .seconds(10))) {
        onThreads(2) { thread in
          if thread == 0 {
            lock.withLock { _ in
              isHeld.signal()
              waiter.waitUntilAsleep()
            }
          } else {
            isHeld.wait()
            waiter.isAboutToWait()
            lock.withLock { $0 += 1 }
          }
        }
      }
      #expect(trace.spans.count == 0 && trace.waits.isEmpty)
      #expect(trace.folded.map { $0.count } == [1])
    }

    /// An entry of what happens under a lock to those who wait for a condition.
    private enum Event { case waits(Int), signals(Int), broadcasts(Int) }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func eachWaitForAConditionNamesWhoSignalled(seed: UInt64) throws {
      let (waiters, signallers) = (4, 3)
      let events = TracedMutex([Event](), "events")
      let condition = TracedCondition("event")
      let isOver = Atomic(0)
      let trace = try record {
        onThreads(waiters + signallers) { thread in
          var random = SeededGenerator(seed: seed &* 100 &+ UInt64(thread))
          if thread < waiters {
            for _ in 0..<100 {
              // Holds at the second question: after the first wait.
              var asked = 0
              events.withLock(
                waitingFor: condition,
                until: { events in
                  asked += 1
                  if asked == 1 { events.append(.waits(thread)) }
                  return asked == 2
                }
              ) { _ in }
            }
            isOver.add(1, ordering: .relaxed)
          } else {
            while isOver.load(ordering: .relaxed) < waiters {
              events.withLock { events in
                if Int.random(in: 0..<4, using: &random) == 0 {
                  events.append(.broadcasts(thread))
                  condition.broadcast()
                } else {
                  events.append(.signals(thread))
                  condition.signal()
                }
              }
              usleep(UInt32.random(in: 0...50, using: &random))
            }
          }
        }
      }
      var line: [Int] = []
      var enders = Array(repeating: [String](), count: waiters)
      for event in events.withLock({ $0 }) {
        switch event {
        case .waits(let thread): line.append(thread)
        case .signals(let thread):
          if !line.isEmpty { enders[line.removeFirst()].append("t\(thread)") }
        case .broadcasts(let thread):
          for waiter in line { enders[waiter].append("t\(thread)") }
          line = []
        }
      }
      for waiter in 0..<waiters {
        let waits = trace.waits(ofTrack: try trace.row(ofThread: waiter)).filter {
          $0.kind == .condition
        }
        #expect(waits.map(trace.ender(of:)) == enders[waiter], "seed \(seed)")
        #expect(waits.count == 100 && waits.allSatisfy { $0.endedAt != nil })
      }
      #expect(trace.waits.allSatisfy { $0.endedByTrack != nil })
      #expect(trace.issues == [])
    }

    @Test func eachWaitForASemaphoreNamesWhoSignalled() throws {
      // A ring of threads, each of which wakes the next, and a semaphore that all share.
      let count = 4
      let ring = (0..<count).map { _ in TracedSemaphore(0, "turn") }
      let shared = TracedSemaphore(2, "shared")
      let inside = Atomic(0)
      let most = Atomic(0)
      let trace = try record {
        onThreads(count) { thread in
          for round in 0..<200 {
            if thread > 0 || round > 0 { ring[thread].wait() }
            ring[(thread + 1) % count].signal()
            shared.wait()
            let now = inside.add(1, ordering: .relaxed).newValue
            _ = most.max(now, ordering: .relaxed)
            usleep(20)
            inside.subtract(1, ordering: .relaxed)
            shared.signal()
          }
        }
      }
      #expect(most.load(ordering: .relaxed) <= 2)
      var waits = 0
      for thread in 0..<count {
        for wait in trace.waits(ofTrack: try trace.row(ofThread: thread)) {
          #expect(wait.kind == .semaphore)
          let name = trace.name(ofSpan: wait.span)
          if name == "turn" {
            #expect(trace.ender(of: wait) == "t\((thread + count - 1) % count)")
            waits += 1
          } else {
            // Whoever wakes it has had a permit, and it has none itself.
            #expect(name == "shared")
            #expect(wait.endedByTrack != nil && trace.ender(of: wait) != "t\(thread)")
          }
          let end = trace.spans.end[wait.span]
          #expect(try #require(wait.endedAt) <= end)
        }
      }
      #expect(waits > 0)
      #expect(trace.issues == [])
    }
  }
}
