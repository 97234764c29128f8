/// What came of a thread whose nested spans were put into columns.
struct PlacedSpans {
  /// The places of spans that had not ended.
  var unfinished: [Int] = []
  /// Those of them that end with the recording: their ends in the columns are not written so far.
  var unended: [Int] = []
  /// The last end of spans that have a record, 0 if there are none.
  var lastTick: UInt64 = 0
  /// The first beginning and the last end in the columns; nil without spans, or where the end is not
  /// written so far.
  var earliest: Int64?
  var latest: Int64?
}
