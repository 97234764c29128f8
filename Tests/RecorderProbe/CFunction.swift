import Foundation

/// Functions of the C library that Swift hides, since they don't go with what Swift does. Programs
/// call them from C.
enum CFunction {
  static func fork() -> pid_t {
    typealias Function = @convention(c) () -> pid_t
    return unsafe unsafeBitCast(address("fork"), to: Function.self)()
  }

  static func execute(_ path: String) {
    typealias Function =
      @convention(c) (
        UnsafePointer<CChar>, UnsafePointer<UnsafeMutablePointer<CChar>?>
      ) -> CInt
    let function = unsafe unsafeBitCast(address("execv"), to: Function.self)
    let arguments = unsafe [strdup(path), nil]
    _ = unsafe function(path, arguments)
  }

  /// Ends the calling thread so that nothing of the process hears of it.
  static func vanish() {
    typealias Function = @convention(c) (CLong, CLong) -> CLong
    #if arch(x86_64)
    let exitNumber = 60
    #else
    let exitNumber = 93
    #endif
    _ = unsafe unsafeBitCast(address("syscall"), to: Function.self)(exitNumber, 0)
  }

  private static func address(_ name: String) -> UnsafeMutableRawPointer {
    guard let symbol = unsafe dlsym(nil, name) else { exit(65) }
    return unsafe symbol
  }
}
