internal import CFlamelark

/// What the spans of each call site are left out by: a table for the hot path's cold neighbours.
///
/// Threads read it while it changes, one word at a time; what they read is the old or the new. Not
/// thread-safe otherwise; ``Recorder`` holds its lock.
@safe final class SiteRules: @unchecked Sendable {
  // Unchecked: changed under the recorder's lock, read by word.
  /// By id of the call site; nil: all are left out by the same.
  private(set) var table: UnsafeMutablePointer<fl_rule>?
  private var capacity = 0
  /// Tables that were too small, which threads may still read.
  private var outgrown: [UnsafeMutablePointer<fl_rule>] = unsafe []

  deinit {
    unsafe table?.deallocate()
    unsafe outgrown.forEach { unsafe $0.deallocate() }
  }

  /// Sets what a call site's spans are left out by; those never set are never left out.
  func set(_ rule: fl_rule, ofSite site: UInt32) {
    let index = Int(site)
    if index >= capacity { grow(toHold: index) }
    guard let table = unsafe table else { return }
    unsafe fl_store_relaxed(&table[index].minimum, rule.minimum)
    unsafe fl_store_relaxed(&table[index].depth, rule.depth)
  }

  private func grow(toHold index: Int) {
    let larger = max(1024, (index + 1) * 2)
    let new = UnsafeMutablePointer<fl_rule>.allocate(capacity: larger)
    unsafe new.initialize(repeating: fl_rule(minimum: 0, depth: 255), count: larger)
    if let table = unsafe table {
      unsafe new.update(from: table, count: capacity)
      unsafe outgrown.append(table)
    }
    unsafe table = new
    capacity = larger
  }
}
