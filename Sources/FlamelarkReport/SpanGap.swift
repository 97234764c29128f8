internal import FlamelarkAnalysis

/// Where time lies that no span names: `between `a` and `b``.
struct SpanGap {
  let gap: Cause.Gap

  init(_ gap: Cause.Gap) { self.gap = gap }

  var text: String {
    switch (gap.after.map { quoted($0) }, gap.before.map { quoted($0) }) {
    case (let after?, let before?): "between \(after) and \(before)"
    case (let after?, nil): "behind \(after), until the end"
    case (nil, let before?): "before \(before), from the beginning"
    case (nil, nil): "where no span begins or ends"
    }
  }

  private func quoted(_ name: String) -> String { "`\(SpanPath([name]).text(columns: 32))`" }
}
