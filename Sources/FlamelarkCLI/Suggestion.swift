/// The word that somebody meant, nil if none is near.
func nearest(to word: String, among known: [String]) -> String? {
  let limit = max(1, word.count / 3)
  let candidates = known.map { (distance: editDistance(word, $0), word: $0) }
  return candidates.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.word
}

/// How many characters to insert, delete, replace or swap with their neighbour.
private func editDistance(_ first: String, _ second: String) -> Int {
  let a = Array(first.prefix(64))
  let b = Array(second.prefix(64))
  var previous: [Int] = []
  var row = Array(0...b.count)
  for i in a.indices {
    var next = [i + 1]
    for j in b.indices {
      var least = min(row[j] + (a[i] == b[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        least = min(least, previous[j - 1] + 1)
      }
      next.append(least)
    }
    previous = row
    row = next
  }
  return row[b.count]
}
