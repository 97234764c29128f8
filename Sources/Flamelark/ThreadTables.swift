internal import CFlamelark

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A thread's tables beside its slot: its cache of call sites and what it knows of its sums.
@safe final class ThreadTables: @unchecked Sendable {
  // Unchecked: one thread at a time has them.
  let sites: UnsafeMutablePointer<fl_site_entry>
  let book: UnsafeMutablePointer<fl_fold_book>
  /// Whether cached call sites have limits of their own.
  var followRules = false

  init() {
    unsafe sites = .allocateCleared(Int(fl_site_entries))
    unsafe book = .allocateCleared(1)
  }

  deinit {
    unsafe free(sites)
    unsafe free(book)
  }
}

extension UnsafeMutablePointer {
  /// Zeroed memory that costs nothing until it is touched.
  fileprivate static func allocateCleared(_ count: Int) -> Self {
    guard let memory = unsafe calloc(count, MemoryLayout<Pointee>.stride) else {
      fatalError("out of memory for a thread's call sites")
    }
    return unsafe memory.assumingMemoryBound(to: Pointee.self)
  }
}
