extension Trace {
  /// What a recording left out from a moment on.
  public struct Filter: Sendable, Equatable {
    /// When it was told, on the trace's axis. Each thread takes it over before its next span.
    public var time: Int64
    /// Spans inside this many others were not recorded.
    public var maximumDepth: Int
    /// Shorter spans were not recorded; nanoseconds.
    public var minimumDuration: Int64
    /// What held for some names and categories in place of that.
    public var exceptions: [Exception] = []

    /// Creates a filter without exceptions.
    public init(time: Int64, maximumDepth: Int, minimumDuration: Int64) {
      self.time = time
      self.maximumDepth = maximumDepth
      self.minimumDuration = minimumDuration
    }

    /// What held for the spans of a name or a category.
    public struct Exception: Sendable, Equatable {
      /// What an exception is for.
      public enum Subject: String, Sendable {
        /// The spans of a name.
        case name
        /// The spans of a category.
        case category
      }

      /// What it is for.
      public var subject: Subject
      /// The name, or the category.
      public var text: String
      /// The greatest depth, nil: as for others.
      public var maximumDepth: Int?
      /// The least duration in nanoseconds, nil: as for others.
      public var minimumDuration: Int64?

      /// Creates an exception.
      public init(
        subject: Subject, text: String, maximumDepth: Int? = nil, minimumDuration: Int64? = nil
      ) {
        self.subject = subject
        self.text = text
        self.maximumDepth = maximumDepth
        self.minimumDuration = minimumDuration
      }
    }
  }
}
