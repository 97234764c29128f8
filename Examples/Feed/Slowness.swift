/// The mistakes of this feed. Each can be mended alone with `--fix`.
enum Slowness: String, CaseIterable {
  /// A post's rich text is parsed three times when its cell comes in; mended: once.
  case text
  /// Each layout pass solves the constraints of every visible cell; mended: only of cells whose
  /// post changed.
  case constraints
  /// A picture is decoded from its file each time a cell uses it; mended: once, then kept.
  case images
  /// A cutout's transparency is drawn on the main thread each time its cell comes in; mended: at
  /// launch, in the background, then kept.
  case transparency
  /// The header is built each time the model changes; mended: only when what it shows changed.
  case header
  /// A cell creates the views of its tags when it comes in; mended: it takes those of cells that
  /// went out of sight.
  case tags
}
