internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A file that the recorder made and writes.
///
/// A program may close what it doesn't know, as daemons do, and then have a file of its own under the
/// same number. So it is looked at before it is used whether it is still this one. It is closed when
/// nobody has it any more.
final class OwnFile: Sendable {
  let descriptor: CInt
  private let device: dev_t
  private let inode: ino_t
  private let isOpen = Atomic(true)

  /// What became of it.
  enum State {
    case there
    /// It has no name any more.
    case removed
    /// Its number is none, or that of another file.
    case closed
  }

  /// Creates a file that is not there yet. nil if that can't be done: `errno` says why.
  init?(creating path: String) {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    unsafe fstat(descriptor, &status)
    self.descriptor = descriptor
    device = status.st_dev
    inode = status.st_ino
  }

  deinit { close() }

  /// What became of it by now. One call of the system.
  var state: State {
    var status = stat()
    guard isOpen.load(ordering: .relaxed), unsafe fstat(descriptor, &status) == 0,
      status.st_dev == device, status.st_ino == inode
    else { return .closed }
    return status.st_nlink == 0 ? .removed : .there
  }

  /// Closes it, if that didn't happen and the number is still its own.
  func close() {
    guard state != .closed, isOpen.exchange(false, ordering: .relaxed) else { return }
    systemClose(descriptor)
  }
}

/// The system's `close`, where a method has its name.
private func systemClose(_ descriptor: CInt) { close(descriptor) }
