import Foundation

/// What `flamelark blame --format json` says of the one series of a trace.
struct BlameReport: Decodable {
  struct Cause: Decodable {
    let path: [String]
    let kind: String
    let blame_ns: Int64
  }

  struct Hitch: Decodable {
    let frame: Int
    let lateness_ns: Int64
    let causes: [Cause]
  }

  struct Series: Decodable {
    let name: String
    let mode: String
    let frames: Int
    let hitch_ns: Int64
    let hitch_ratio_ms_per_s: Double
    let hitches: [Hitch]
    let causes: [Cause]
  }

  let series: [Series]

  init(of trace: String, in place: URL) throws {
    let blame = try Program("flamelark", "blame", "--format", "json", trace, in: place)
    self = try JSONDecoder().decode(BlameReport.self, from: Data(blame.output.utf8))
  }
}
