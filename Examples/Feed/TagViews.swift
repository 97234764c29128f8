import Flamelark

/// Where cells get the views of their tags, and where views go when their cell is out of sight.
struct TagViews {
  /// As many as cells in sight have tags.
  static let mostInSight = 60

  private let samples: Int
  private let reuses: Bool
  private var free: [TagView] = []

  /// With `reuses` enough views are made here.
  init(samples: Int, reuses: Bool) {
    self.samples = samples
    self.reuses = reuses
    guard reuses else { return }
    for _ in 0..<Self.mostInSight { free.append(create()) }
  }

  /// A view for the tag, created if none is free.
  mutating func view(for tag: String) -> TagView {
    let view = free.popLast() ?? create()
    view.show(tag)
    return view
  }

  /// Takes the views of a cell that is out of sight.
  mutating func takeBack(_ views: [TagView]) {
    if reuses { free += views }
  }

  private func create() -> TagView {
    withSpan("tag.create") { TagView(samples: samples) }
  }
}
