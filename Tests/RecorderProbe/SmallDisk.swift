import Foundation

/// A disk in memory that only this process sees.
enum SmallDisk {
  /// Makes a folder such a disk. false where the system doesn't let this process.
  static func mount(at folder: String, byteCount: Int) -> Bool {
    let (user, group) = (getuid(), getgid())
    if user == 0 {
      guard unshare(flags: newMounts) == 0 else { return false }
    } else {
      // Root of a namespace of its own.
      guard unshare(flags: newMounts | newUsers) == 0 else { return false }
      try? Data("deny".utf8).write(to: URL(fileURLWithPath: "/proc/self/setgroups"))
      try? Data("0 \(user) 1".utf8).write(to: URL(fileURLWithPath: "/proc/self/uid_map"))
      try? Data("0 \(group) 1".utf8).write(to: URL(fileURLWithPath: "/proc/self/gid_map"))
    }
    // Nothing of it reaches others.
    _ = mount("none", "/", nil, recursive | makePrivate, nil)
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return mount("tmpfs", folder, "tmpfs", 0, "size=\(byteCount)") == 0
  }

  /// Fills the disk of a folder but for so many bytes.
  static func fill(_ file: String, leaving byteCount: Int, of folder: String) {
    var status = statvfs()
    guard unsafe statvfs(folder, &status) == 0 else { exit(65) }
    let count = Int(status.f_bavail) * Int(status.f_bsize) - byteCount
    let descriptor = unsafe open(file, O_RDWR | O_CREAT, 0o600)
    guard descriptor >= 0, count <= 0 || posix_fallocate(descriptor, 0, off_t(count)) == 0 else {
      exit(65)
    }
    close(descriptor)
  }

  private static let newMounts: CInt = 0x20000
  private static let newUsers: CInt = 0x1000_0000
  private static let recursive: CUnsignedLong = 16384
  private static let makePrivate: CUnsignedLong = 1 << 18

  // Swift's module of the C library doesn't have these two.
  private static func unshare(flags: CInt) -> CInt {
    typealias Function = @convention(c) (CInt) -> CInt
    guard let symbol = unsafe dlsym(nil, "unshare") else { return -1 }
    return unsafe unsafeBitCast(symbol, to: Function.self)(flags)
  }

  private static func mount(
    _ source: String, _ target: String, _ type: String?, _ flags: CUnsignedLong, _ data: String?
  ) -> CInt {
    typealias Text = UnsafePointer<CChar>
    typealias Function = @convention(c) (Text, Text, Text?, CUnsignedLong, Text?) -> CInt
    guard let symbol = unsafe dlsym(nil, "mount") else { return -1 }
    return unsafe unsafeBitCast(symbol, to: Function.self)(source, target, type, flags, data)
  }
}
