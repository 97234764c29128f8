/// What holds for every blame, whatever is in the trace.
///
/// A law that doesn't hold is a mistake of this program: it stops and says where, in release builds
/// too, rather than print figures that don't add up.
enum Law: Int {
  /// The parts of a frame's window add up to it.
  case windowsAreDivided = 1
  /// The causes of a hitch add up to its lateness.
  case causesAddUp
  /// The causes of a series add up to the lateness of its hitches.
  case seriesAddsUp
  /// What a place bears with all below it is no more than the whole, and at least what it bears itself.
  case partsAreWithinWholes
  /// What took no longer than normal in any hitch bears nothing.
  case normalBearsNothing
  /// A place bears what it bears itself and what is below it, together.
  case splittingChangesNothing

  /// Stops the program if the law doesn't hold.
  func check(
    _ holds: Bool, frame: Int? = nil, _ text: @autoclosure () -> String
  ) {
    if holds { return }
    let place = frame.map { "frame \($0)" } ?? "the series"
    fatalError("internal error: law \(rawValue) of blame does not hold for \(place): \(text())")
  }
}
