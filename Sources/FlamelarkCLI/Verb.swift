/// What the command can do.
enum Verb: String, CaseIterable {
  case blame, hitch, frames, compare, check, flame, spans, info, export, pack, recover, help

  /// What it does, in one line.
  var summary: String {
    switch self {
    case .blame: "says which spans made which frames late"
    case .hitch: "tells of one late frame: its critical path, and what bears its lateness"
    case .frames: "says what frames were like: hitch ratio, rates, lows, pacing, activities"
    case .compare: "says whether runs got better or worse, why, and how sure that is"
    case .check: "holds runs against limits and a baseline, for scripts"
    case .flame: "draws a flame graph as SVG, of time or of lateness"
    case .spans: "says which spans took how much time, how often and how long each"
    case .info: "says what is in a trace, and what was lost or repaired"
    case .export: "writes a trace for other tools"
    case .pack: "writes a trace in a third of its bytes, without loss"
    case .recover: "writes what a killed program left as one ordinary trace"
    case .help: "explains a verb"
    }
  }

  var usage: String {
    switch self {
    case .blame, .spans, .info: "flamelark \(rawValue) [options] FILE"
    case .hitch: "flamelark hitch [options] FILE N"
    case .frames: "flamelark frames [options] FILE..."
    case .compare: "flamelark compare [options] A... -- B..."
    case .check:
      "flamelark check --max-hitch-ratio R|--max-p90 R|--baseline DIR [options] FILE..."
    case .flame: "flamelark flame --of time|blame [options] FILE"
    case .export: "flamelark export --as trace-event|speedscope [options] FILE"
    case .pack, .recover: "flamelark \(rawValue) [-o OUT] FILE"
    case .help: "flamelark help [VERB]"
    }
  }

  /// The options that it takes, in the order of its help.
  var options: [Option] {
    switch self {
    case .blame:
      [
        .from, .to, .activity, .skip, .series, .thread, .frames, .refresh, .format, .top, .scale,
        .failAbove, .width,
      ]
    case .spans:
      [
        .from, .to, .thread, .grouping, .sort, .top, .format, .width, .series, .frames, .refresh,
      ]
    case .hitch: [.series, .frames, .refresh, .all, .format, .width]
    case .frames:
      [
        .from, .to, .activity, .skip, .series, .frames, .refresh, .scale, .compat, .rule,
        .picture, .format, .width,
      ]
    case .compare:
      [
        .from, .to, .activity, .skip, .series, .frames, .refresh, .format, .top, .scale, .anyway,
        .width,
      ]
    case .check:
      [
        .greatestRatio, .greatestP90, .baseline, .from, .to, .activity, .skip, .series, .frames,
        .refresh, .format, .anyway, .width,
      ]
    case .flame:
      [.subject, .output, .from, .to, .activity, .skip, .thread, .series, .frames, .refresh]
    case .info: [.format, .width]
    case .export: [.form, .output, .from, .to, .thread, .series, .frames, .refresh, .without]
    case .pack, .recover: [.output]
    case .help: []
    }
  }

  /// What a person should know beyond the options.
  var details: [String] {
    switch self {
    case .blame:
      [
        "The causes of a hitch add up to its lateness, exactly. A trace without frames of its own",
        "needs --frames NAME, unless one name obviously stands for them. --thread lists the causes of one",
        "thread and sums up all others; it changes the text alone.",
      ]
    case .hitch:
      [
        "N is the number of a frame that was late; flamelark blame lists the worst. The critical path goes",
        "from the beginning of the frame's time to its end, and to other threads where it waited for them.",
      ]
    case .frames:
      [
        "Each figure is worked by hand in Documentation/Frames.md. Several files are several sessions: what",
        "is typical of them comes first, then a line each; --format json has all figures of all of them.",
        "Rules of others: jankstats, frame-overrun, sentry, perfdog, unreal, capframex.",
        "--svg also draws frame times against targets, how they are distributed, and ratios of activities",
        "and sessions; .gz gives gzip. An existing file is never overwritten.",
      ]
    case .compare:
      [
        "A are traces before a change, B those behind it; each file is a run. With three or more on each",
        "side an interval says how much runs differ by themselves; five are better. A change is told where",
        "0 is not in the interval: sets of the same runs do so in 3 of 100 comparisons. Runs with other",
        "refresh rates, cores, build or filters are not compared. Behind a second -- all words are files,",
        "also with a dash in front.",
      ]
    case .check:
      [
        "The first line is the verdict. Against a baseline the runs fail where their ratio is worse by more",
        "than chance. --max-p90 is judged over the activities of --activity, else over the runs. Files in",
        "DIR that are no traces are told and left out.",
      ]
    case .flame:
      [
        "A browser shows the picture: search it with a regular expression, click to zoom. It is one file",
        "that needs no network. Without -o, game.lark goes to game.blame.svg or game.time.svg; .gz gives",
        "gzip. An existing file is never overwritten. In a picture of blame a box is as wide as the",
        "lateness that it bears. --activity and --skip are for blame, --thread is for time.",
      ]
    case .spans:
      [
        "Self time is what a span has without the spans in it; all of it adds up to the time in which",
        "the threads were busy. Spans below the least duration of a recording are shown as folded.",
        "A narrow text leaves out p90, total and p99; --width 120 shows all, and JSON has them.",
      ]
    case .info: []
    case .export:
      [
        "speedscope (https://www.speedscope.app), Perfetto and chrome://tracing open trace-event;",
        "large traces open faster in speedscope as speedscope. Without -o it goes to standard output;",
        "a name with .gz gives gzip. An existing file is never overwritten.",
        "Tasks and hitches are asynchronous events, which speedscope shows only in its own format.",
      ]
    case .pack:
      [
        "Every verb reads packed traces. A live file of a killed program beside FILE is taken in.",
        "Without -o, game.lark goes to game.packed.lark. An existing file is never overwritten.",
      ]
    case .recover:
      [
        "Reading FILE takes in the live file beside it as it is; recover is for a copy in one piece.",
        "Damaged chunks are left out and told. Without -o, game.lark goes to game.recovered.lark. An",
        "existing file is never overwritten.",
      ]
    case .help: []
    }
  }

  var examples: [String] {
    switch self {
    case .blame:
      [
        "flamelark blame game.lark",
        "flamelark blame --frames RunLoop --refresh 60 engine.json.gz",
        "flamelark blame --activity scroll --skip 1s game.lark",
        "flamelark blame --fail-above 5 --format json game.lark",
      ]
    case .hitch:
      [
        "flamelark hitch game.lark 304",
        "flamelark hitch --all --format json game.lark 304",
      ]
    case .frames:
      [
        "flamelark frames game.lark",
        "flamelark frames --svg frames.svg game.lark",
        "flamelark frames --activity scroll --format json monday.lark tuesday.lark",
        "flamelark frames --frames RunLoop --refresh 60 --compat fpsmonitor engine.json.gz",
        "flamelark frames --rule perfdog game.lark",
      ]
    case .compare:
      [
        "flamelark compare before.lark -- after.lark",
        "flamelark compare before/*.lark -- after/*.lark",
        "flamelark compare --activity scroll --format markdown before/*.lark -- after/*.lark",
      ]
    case .check:
      [
        "flamelark check --max-hitch-ratio 5 run-*.lark",
        "flamelark check --baseline main/ --format junit run-*.lark",
      ]
    case .flame:
      [
        "flamelark flame --of blame game.lark",
        "flamelark flame --of time --from f304 --to f304 -o late.svg game.lark",
      ]
    case .spans:
      [
        "flamelark spans game.lark",
        "flamelark spans --from f304 --to f304 --thread main game.lark",
        "flamelark spans --by site --sort max --format json game.lark",
      ]
    case .info: ["flamelark info game.lark"]
    case .export:
      [
        "flamelark export --as trace-event -o game.trace.json.gz game.lark",
        "flamelark export --as speedscope --from f300 --to f310 -o late.speedscope.json game.lark",
      ]
    case .pack: ["flamelark pack -o archive/game.lark game.lark"]
    case .recover: ["flamelark recover game.lark"]
    case .help: ["flamelark help blame"]
    }
  }

  /// Whether `--` parts its files into two lists.
  var takesTwoLists: Bool { self == .compare }

  /// What the value of one of its options stands for.
  func value(of option: Option) -> String {
    switch (self, option) {
    case (.compare, .format): "text|json|markdown"
    case (.check, .format): "text|json|junit|markdown"
    default: option.value
    }
  }

  /// What one of its options does.
  func explanation(of option: Option) -> String {
    switch (self, option) {
    case (.compare, .format), (.check, .format): "the form of the report; text is the default"
    case (.compare, .top): "how many causes and spans to list; 10 and 8 by default"
    default: option.explanation
    }
  }
}
