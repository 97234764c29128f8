/// Breaks words into lines so that the lines' ends are as even as can be.
///
/// The least sum of the squared room left at the end of each line, the last line free. A line
/// holds few words, so the time grows with the words, not with their square.
enum LineBreaker {
  static func lines(of widths: [Double], space: Double, width: Double) -> [Range<Int>] {
    // best[j]: the least cost of the first j words; start[j]: where the last of their lines begins.
    var best = [0.0]
    var start = [0]
    for end in 1...max(1, widths.count) where !widths.isEmpty {
      var length = -space
      var least = Double.infinity
      var leastStart = end - 1
      var first = end - 1
      while first >= 0 {
        length += widths[first] + space
        // A word wider than the line has a line of its own.
        if length > width && first < end - 1 { break }
        let room = max(0, width - length)
        let cost = best[first] + (end == widths.count ? 0 : room * room)
        if cost < least {
          least = cost
          leastStart = first
        }
        first -= 1
      }
      best.append(least)
      start.append(leastStart)
    }
    var lines: [Range<Int>] = []
    var end = widths.count
    while end > 0 {
      lines.append(start[end]..<end)
      end = start[end]
    }
    return lines.reversed()
  }
}
