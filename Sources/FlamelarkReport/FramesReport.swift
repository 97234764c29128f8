public import FlamelarkAnalysis
public import FlamelarkTrace

/// What the frames of some traces were like: what `flamelark frames` says. Each trace is a session.
public struct FramesReport: Sendable {
  /// What was asked for.
  public struct Options: Sendable {
    /// What is good.
    public var scale = HitchScale.scroll
    /// Which frames it speaks of, in each of the traces.
    public var selection = FrameSelection()
    /// The interval that a frame may take, in nanoseconds.
    public var refresh: Int64?
    /// Whether frames per second are also told as a counter on a display link has long told them.
    public var tellsFPSMonitor = false
    /// A rule of others, by which frames are judged too.
    public var rule: FrameRule?

    /// Everything in the traces.
    public init() {}
  }

  /// One trace, of which only what the report says is kept.
  public struct Session: Sendable {
    /// Its name, and what was asked for in words.
    let view: SameView
    /// What its file says of itself, without spans and frames.
    let head: Trace
    /// How many series it has that could have been asked for.
    let seriesCount: Int
    /// Which frames it speaks of.
    let selection: FrameSelection
    /// What a header says of that.
    let phrases: [String]
    /// The time that it speaks of.
    let range: Range<Int64>
    /// The figures of each series.
    let series: [FrameFigures]

    /// Looks at some series of a trace.
    public init(
      of trace: Trace, series: [Trace.FrameSeries], view: SameView, options: Options = .init()
    ) {
      self.view = view
      var head = Trace()
      head.source = trace.source
      head.tracks = trace.tracks.map { track in
        var track = track
        track.spans = 0..<0
        return track
      }
      head.issues = trace.issues
      head.wallClockZero = trace.wallClockZero
      self.head = head
      seriesCount = trace.frameSeries.count
      selection = options.selection
      phrases = selection.phrases(in: trace)
      let asked = options.selection.range ?? trace.range
      let end = min(asked.upperBound, trace.range.upperBound)
      range = asked.lowerBound..<max(asked.lowerBound, end)
      self.series = series.map { series in
        FrameFigures(
          of: series, in: trace, refresh: options.refresh,
          ranges: options.selection.ranges(of: series, in: trace, refresh: options.refresh),
          rule: options.rule)
      }
    }

    /// How many frames it speaks of.
    public var frameCount: Int { series.reduce(0) { $0 + $1.frameCount } }

    /// Its name, as it was given.
    var file: String { view.file }
  }

  /// The series of one name in all sessions that have one.
  struct Group: Sendable {
    /// One of them, and which session it is of.
    struct Member: Sendable {
      let session: Int
      let figures: FrameFigures
    }

    let name: String
    let members: [Member]
    let spread: RatioSpread
    let activities: [GroupedActivity]

    /// More than a fifth of the targets had to be made up.
    var isApproximate: Bool {
      members.reduce(0) { $0 + $1.figures.estimatedTargets } * 5
        > members.reduce(0) { $0 + $1.figures.frameCount }
    }
  }

  /// The activities of one name in all sessions.
  struct GroupedActivity: Sendable {
    let name: String
    /// Which session each is of, and the activity there.
    var occurrences: [(session: Int, activity: ActivityFigures.Occurrence)] = []
    var frames = 0
    var hitches = 0
    var pooled = RatioSpread.Part(hitchTime: 0, activeTime: 0)

    init(name: String) { self.name = name }

    var spread: RatioSpread { RatioSpread(occurrences.map(\.activity.part), pooled: pooled) }
  }

  let sessions: [Session]
  let options: Options
  let groups: [Group]

  /// Puts sessions together.
  public init(of sessions: [Session], options: Options = .init()) {
    self.sessions = sessions
    self.options = options
    var order: [String] = []
    var members: [String: [Group.Member]] = [:]
    for (index, session) in sessions.enumerated() {
      for figures in session.series {
        if members[figures.name] == nil { order.append(figures.name) }
        members[figures.name, default: []].append(.init(session: index, figures: figures))
      }
    }
    groups = order.map { name in
      let members = members[name] ?? []
      return Group(
        name: name, members: members, spread: RatioSpread(members.map(\.figures.part)),
        activities: Self.activities(of: members))
    }
  }

  private static func activities(of members: [Group.Member]) -> [GroupedActivity] {
    var places: [String: Int] = [:]
    var result: [GroupedActivity] = []
    for member in members {
      for activity in member.figures.activities {
        let place = places[activity.name] ?? result.count
        if place == result.count {
          places[activity.name] = place
          result.append(GroupedActivity(name: activity.name))
        }
        result[place].occurrences += activity.occurrences.map { (member.session, $0) }
        result[place].frames += activity.frames
        result[place].hitches += activity.hitches
        result[place].pooled = result[place].pooled + activity.spread.pooled
      }
    }
    return result
  }

  /// The hitch ratio of the worst series over all sessions, in ms/s.
  public var hitchRatio: Double { worst?.spread.pooled.hitchRatio ?? 0 }

  /// The series that gives the verdict: that of the greatest ratio, the first of equals.
  var worst: Group? {
    groups.reduce(nil) { worst, group in
      guard let worst else { return group }
      return group.spread.pooled.hitchRatio > worst.spread.pooled.hitchRatio ? group : worst
    }
  }

  /// What a header says of the frames that were chosen.
  var phrases: [String] {
    guard let first = sessions.first, sessions.count > 1 else {
      return sessions.first?.phrases ?? []
    }
    var selection = first.selection
    // A frame's number may be another time in each trace.
    if sessions.contains(where: { $0.selection.range != selection.range }) { selection.range = nil }
    return selection.phrases(in: nil)
  }

  /// How good some frames are, nil where there is no active time to judge.
  func band(of part: RatioSpread.Part) -> HitchScale.Band? {
    part.activeTime > 0 ? options.scale.band(of: part.hitchRatio) : nil
  }
}
