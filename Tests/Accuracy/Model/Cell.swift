/// One regime of frames that are generated.
struct Cell: Sendable {
  let name: String
  /// Late by when frames are shown, behind a second stage; else by a display link.
  let isPresented: Bool
  /// The part of the frames that are made late.
  var rate = 0.04
  /// By how much, in ms.
  var extent = 9.0..<30.0
  /// The mean of the greatest normal span, in ms.
  var layout = 4.6
  /// The less, the more that span varies.
  var layoutShape = 40.0
  var frameCount = 2400
  /// With what else happens in programs: see ``Disturbances``.
  var isDisturbed = false
  /// What is asked of the report, nil: nothing.
  var bounds: Bounds?

  /// What holds for the pooled hitches of a cell.
  struct Bounds: Sendable {
    var precision: Double
    var shareError: Double
    /// By how much precision is above that of each method without our critical path.
    var lead = 0.15
  }

  static let all = [
    Cell(
      name: "P easy", isPresented: true, bounds: Bounds(precision: 0.93, shareError: 0.11)),
    Cell(
      name: "P hard", isPresented: true, rate: 0.08, extent: 4..<12, layout: 5.5,
      layoutShape: 120, bounds: Bounds(precision: 0.79, shareError: 0.25)),
    Cell(
      name: "D easy", isPresented: false, bounds: Bounds(precision: 0.97, shareError: 0.10)),
    Cell(
      name: "D hard", isPresented: false, rate: 0.08, extent: 4..<12, layout: 5.5,
      layoutShape: 120, bounds: Bounds(precision: 0.97, shareError: 0.10, lead: 0.10)),
    Cell(
      name: "D systemic", isPresented: false, layout: 14, layoutShape: 120,
      bounds: Bounds(precision: 0.95, shareError: 0.23)),
    Cell(name: "P disturbed", isPresented: true, isDisturbed: true),
    Cell(name: "D disturbed", isPresented: false, isDisturbed: true),
  ]

  /// The cell of a name, as "p-hard" or "P hard".
  static func named(_ name: String) -> Cell? {
    all.first { $0.name.lowercased() == name.lowercased().replacing("-", with: " ") }
  }
}
