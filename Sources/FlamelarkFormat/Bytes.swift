/// Little-endian loads and stores at byte offsets. The caller has checked the length.
extension UnsafeRawBufferPointer {
  /// The integer at `offset`.
  @inlinable @inline(__always)
  package func integer<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type) -> T
  {
    T(littleEndian: unsafe loadUnaligned(fromByteOffset: offset, as: T.self))
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Writes an integer at `offset`.
  @inlinable @inline(__always)
  package func store<T: FixedWidthInteger & BitwiseCopyable>(integer value: T, at offset: Int) {
    unsafe storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
  }
}
