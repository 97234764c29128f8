package import FlamelarkAnalysis

extension JSONWriter {
  /// Writes what a rule of others says of some frames: the members that
  /// `Documentation/FrameRules.md` describes.
  package mutating func write(_ outcome: FrameRule.Outcome) {
    member("rule", outcome.rule.rawValue)
    member("owner", outcome.rule.owner)
    member("time", outcome.time.rawValue)
    member("judged", outcome.judged)
    member("bad", outcome.badFrames.count)
    array("classes", of: outcome.classes) { json, item in
      json.object(onOneLine: true) { json in
        json.member("name", item.name)
        json.member("part_of", item.partOf)
        json.member("count", item.count)
        json.array("frames", of: item.frames, onOneLine: true) { $0.number($1) }
      }
    }
    array("figures", of: outcome.figures) { json, figure in
      json.object(onOneLine: true) { json in
        json.member("name", figure.name)
        json.member("value", figure.value ?? .nan)
        json.member("unit", figure.unit.rawValue)
      }
    }
  }
}
