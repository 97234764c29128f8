/// The mistakes of this feed. Each can be mended alone with `--fix`.
enum Slowness: String, CaseIterable {
  /// A post's rich text is parsed three times when its cell comes in; mended: once.
  case text
  /// Each layout pass solves the constraints of every visible cell; mended: only of cells whose
  /// post changed.
  case constraints
  /// A picture is decoded from its file each time a cell uses it; mended: once, then kept.
  case images
}
