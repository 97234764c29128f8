internal import FlamelarkFormat

#if !CompiledOut
public import CFlamelark
#endif

/// A queue, of Dispatch or the program's own, whose work says where it was asked for and whose waits say
/// who did it.
///
///     let disk = TracedQueue("disk") { work in dispatchQueue.async(execute: work) }
///
///     disk.async { save(document) }
///     let size = disk.sync { measure(document) }
///
/// Each piece of work is a span, named by the queue unless it has a name of its own. A link leads from
/// where it was asked for to where it runs. Copies are the same queue.
public struct TracedQueue: Sendable {
  /// What the queue runs, once and at any time.
  public typealias Work = @Sendable () -> Void

  private let resource: Resource
  @usableFromInline let submit: @Sendable (@escaping Work) -> Void

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - name: What its waits are called.
  ///   - file: Left out.
  ///   - line: Left out.
  ///   - submit: Gives a piece of work to what runs it.
  public init(
    _ name: StaticString, file: StaticString = #fileID, line: UInt32 = #line,
    submit: @escaping @Sendable (@escaping Work) -> Void
  ) {
    resource = Resource(name, file: file, line: line, kind: .queue)
    self.submit = submit
  }
}

extension TracedQueue {
  /// Lets the queue do work, and goes on.
  ///
  /// Costs a closure, a link and a span more than the queue does; a load and a branch while nothing is
  /// recorded.
  ///
  /// - Parameters:
  ///   - name: What to call the work in place of the queue's name.
  ///   - file: Left out.
  ///   - line: Left out.
  ///   - work: What to do.
  @inlinable @inline(__always)
  public func async(
    _ name: StaticString? = nil, file: StaticString = #fileID, line: UInt32 = #line,
    _ work: @escaping Work
  ) {
    #if CompiledOut
    submit(work)
    #else
    submit(fl_is_on() ? traced(name, file: file, line: line, work) : work)
    #endif
  }

  /// Lets the queue do work and waits until it is done.
  ///
  /// The wait is a span that names the thread which did the work; one below the recording's least
  /// duration is summed up as any span. Never call this in the work of a queue that does one thing after
  /// the other, nor in a task: its thread would be missing for others.
  ///
  /// - Parameters:
  ///   - name: What to call the work in place of the queue's name.
  ///   - file: Left out.
  ///   - line: Left out.
  ///   - body: What to do.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  @discardableResult
  public func sync<Result, Failure: Error>(
    _ name: StaticString? = nil, file: StaticString = #fileID, line: UInt32 = #line,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var outcome: Swift.Result<Result, Failure>?
    func run() {
      do throws(Failure) { outcome = .success(try body()) } catch { outcome = .failure(error) }
    }
    withoutActuallyEscaping(run) { run in
      let job = WaitedFor(run)
      resource.wait {
        Waiter.with { waiter in
          let work = traced(name, file: file, line: line) { job.run() }
          submit {
            work()
            waiter.wake(by: .current)
          }
          return waiter.park()
        }
      }
    }
    guard let outcome else { fatalError("a queue that waits for nobody") }
    return try outcome.get()
  }

  /// Work that says where it was asked for, if that is recorded.
  @usableFromInline
  func traced(
    _ name: StaticString?, file: StaticString, line: UInt32, _ work: @escaping Work
  ) -> Work {
    #if CompiledOut
    return work
    #else
    guard fl_is_recording() else { return work }
    let name = name ?? resource.name
    let link = Flow(name, file: file, line: line).begin()
    return {
      withSpan(name, file: file, line: line) {
        link.end(file: file, line: line)
        work()
      }
    }
    #endif
  }

  /// Work of a caller who waits for it.
  private final class WaitedFor: @unchecked Sendable {
    // Unchecked: made by the caller, touched by who runs it, while the caller waits.
    private var body: (() -> Void)?

    init(_ body: @escaping () -> Void) { self.body = body }

    /// Runs it and keeps nothing of it: the caller, who goes on afterwards, has lent what it uses.
    @inline(never)
    func run() {
      let body = body.take()
      body?()
    }
  }
}
