/// An option of a verb.
enum Option: String, CaseIterable {
  case from = "--from"
  case to = "--to"
  case series = "--series"
  case thread = "--thread"
  case activity = "--activity"
  case skip = "--skip"
  case all = "--all"
  case frames = "--frames"
  case refresh = "--refresh"
  case format = "--format"
  case form = "--as"
  case subject = "--of"
  case output = "-o"
  case without = "--without"
  case width = "--width"
  case top = "--top"
  case grouping = "--by"
  case sort = "--sort"
  case scale = "--scale"
  case failAbove = "--fail-above"
  case compat = "--compat"
  case rule = "--rule"
  case picture = "--svg"
  case greatestRatio = "--max-hitch-ratio"
  case greatestP90 = "--max-p90"
  case baseline = "--baseline"
  case anyway = "--anyway"

  /// What its value stands for.
  var value: String {
    switch self {
    case .from, .to: "WHEN"
    case .series, .frames, .activity: "NAME"
    case .skip: "N|TIME"
    case .all, .anyway: ""
    case .thread: "NAME|TID"
    case .refresh: "HZ"
    case .format: "text|json"
    case .form: "trace-event|speedscope"
    case .subject: "time|blame"
    case .output: "OUT"
    case .without: "hitches|tasks|both"
    case .width: "COLUMNS"
    case .top: "N"
    case .grouping: "name|site"
    case .sort: "self|total|count|max"
    case .scale: "scroll|hitches"
    case .compat: "fpsmonitor"
    case .rule: "NAME"
    case .picture: "OUT"
    case .failAbove, .greatestRatio, .greatestP90: "MS_PER_S"
    case .baseline: "DIR"
    }
  }

  /// Whether it stands alone.
  var isFlag: Bool { value.isEmpty }

  /// What it does.
  var explanation: String {
    switch self {
    case .from: "begin here: 1.5s, 320ms, or a frame: f304"
    case .to: "end here; a frame counts to its end"
    case .series: "only this frame series"
    case .thread: "only this thread"
    case .activity: "only frames that begin within activities of this name"
    case .skip: "leave out the first frames, 60, or their time, 2s, as warm-up"
    case .all: "a line for each step, however many there are"
    case .frames: "spans or instants of this name are the frames"
    case .refresh: "a frame is due 1/HZ s after it began, where the trace doesn't say"
    case .format: "text (the default) or JSON"
    case .form: "the format to write"
    case .subject: "what to draw: the time of spans, or lateness"
    case .output: "the file to write; - is standard output"
    case .without: "leave out what Tracy takes for scopes of threads; default: nothing"
    case .width: "of the text, 80 to 400; default: the terminal's, at most 100"
    case .top: "how many lines: 10 causes and 5 hitches, or 20 names by default"
    case .grouping: "one line a name (the default) or a call site"
    case .sort: "what comes first; self (the default) is without what is called"
    case .scale: "what is good: scroll (< 5 ms/s, the default) or hitches (<= 10 ms/s)"
    case .failAbove: "exit status 1 if the hitch ratio is above this"
    case .compat: "also frames per second as a counter on a display link tells them"
    case .rule: "also by a rule of others"
    case .picture: "also a picture of the frames, written to this file"
    case .greatestRatio: "fail if the hitch ratio of all runs together is above this"
    case .greatestP90: "fail if more than a tenth of the runs or activities are above this"
    case .baseline: "fail if the runs are worse than the traces in this folder"
    case .anyway: "go on where refresh rates, cores, build or filters differ, and say so"
    }
  }
}
