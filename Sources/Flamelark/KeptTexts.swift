/// Texts that are kept for the life of the process, each once, ended by zero.
///
/// Not thread-safe; ``Recorder`` holds its lock.
@safe struct KeptTexts {
  private var places: [String: UnsafePointer<CChar>] = unsafe [:]
  /// Where the next one goes, and how many bytes there are.
  private var free: UnsafeMutablePointer<CChar>?
  private var freeCount = 0
  private static let blockByteCount = 16384

  /// Where a text is, from now on if it is new.
  mutating func keep(_ text: String) -> UnsafePointer<CChar> {
    if let place = unsafe places[text] { return unsafe place }
    let bytes = text.utf8.prefix { $0 != 0 }
    let room = unsafe takeRoom(bytes.count + 1)
    for (index, byte) in bytes.enumerated() { unsafe room[index] = CChar(bitPattern: byte) }
    unsafe room[bytes.count] = 0
    let place = unsafe UnsafePointer(room)
    unsafe places[text] = place
    return unsafe place
  }

  /// Room for some bytes. A thread finds a call site by the low bits of its name's address; an odd
  /// distance between names of one length lets those take all values.
  private mutating func takeRoom(_ byteCount: Int) -> UnsafeMutablePointer<CChar> {
    let distance = byteCount | 1
    var room = unsafe free
    if freeCount < distance {
      freeCount = max(distance, Self.blockByteCount)
      unsafe room = nil
    }
    let place = unsafe room ?? .allocate(capacity: freeCount)
    unsafe free = place + distance
    freeCount -= distance
    return unsafe place
  }
}
