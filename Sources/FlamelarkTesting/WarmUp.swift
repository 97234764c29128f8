/// What a measurement leaves out at the beginning of each iteration: a first layout, empty caches.
public struct WarmUp: Sendable, Equatable {
  enum Amount: Equatable {
    case time(Duration)
    case frames(Int)
  }

  let amount: Amount

  /// Nothing.
  public static let nothing = WarmUp(amount: .frames(0))

  /// So much time from the first frame on.
  public static func time(_ time: Duration) -> WarmUp { WarmUp(amount: .time(time)) }

  /// So many seconds from the first frame on.
  public static func seconds(_ count: Double) -> WarmUp { .time(.seconds(count)) }

  /// So many milliseconds from the first frame on.
  public static func milliseconds(_ count: Int) -> WarmUp { .time(.milliseconds(count)) }

  /// So many frames.
  public static func frames(_ count: Int) -> WarmUp { WarmUp(amount: .frames(count)) }
}
