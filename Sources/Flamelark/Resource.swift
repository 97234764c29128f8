internal import CFlamelark
internal import FlamelarkFormat
internal import Synchronization

/// What threads wait for: what it is called, and which it is.
struct Resource: Sendable {
  #if !CompiledOut
  let name: StaticString
  let file: StaticString
  let line: UInt32
  private let kind: WaitKind
  private let number = Self.newNumber()
  #endif

  init(_ name: StaticString, file: StaticString, line: UInt32, kind: WaitKind) {
    #if !CompiledOut
    self.name = name
    self.file = file
    self.line = line
    self.kind = kind
    #endif
  }

  /// Runs `body`, in which the thread waits, and records that it did.
  ///
  /// - Parameter body: Returns who ended the wait.
  func wait(_ body: () -> Ender) {
    #if CompiledOut
    _ = body()
    #else
    let token = beginWait()
    endWait(token, by: body())
    #endif
  }

  #if !CompiledOut
  /// Begins a wait. To be ended on this thread, before other spans around it.
  ///
  /// - Returns: What ends it, 0 if it isn't recorded.
  func beginWait() -> UInt64 {
    unsafe fl_begin(name.characters, file.characters, line, "")
  }

  func endWait(_ token: UInt64, by ender: Ender) {
    Wait.end(token, kind: kind, resource: number, by: ender)
  }

  private static let count = Atomic<UInt64>(0)

  /// Different for all things that are waited for in this process.
  static func newNumber() -> UInt64 { count.wrappingAdd(1, ordering: .relaxed).newValue }
  #endif
}
