import CFlamelark
import Flamelark
import Glibc

/// Mistakes around the hot path, which a sanitizer must find to be believed about the rest.
enum Proof: String {
  /// Reads a thread's stack pointer while `withSpan` moves it.
  case race
  /// Gives a thread a cache of call sites that is smaller than `withSpan` takes it to be.
  case overflow

  func makeMistake(folder: String) throws {
    let recording = try Recording.start(writingTo: "\(folder)/proof.lark")
    withSpan("attached") {}
    switch self {
    case .race: race()
    case .overflow: overflow()
    }
    try recording.stop()
  }

  private func race() {
    let place = unsafe UInt(bitPattern: fl_current())
    let other = Thread {
      for _ in 0..<100_000 {
        guard unsafe UnsafePointer<fl_thread>(bitPattern: place)?.pointee.top != nil else { break }
      }
    }
    for _ in 0..<100_000 { withSpan("raced") {} }
    other.join()
  }

  private func overflow() {
    let sites = unsafe fl_current().pointee.sites
    let few = UnsafeMutablePointer<fl_site_entry>.allocate(capacity: 1)
    unsafe few.initialize(to: fl_site_entry())
    unsafe fl_current().pointee.sites = few
    withSpan("beyond") {}
    unsafe fl_current().pointee.sites = sites
    unsafe few.deallocate()
  }
}
