/// A format that events are read from, as a listing tells it.
public struct FormatListing: Codable, Sendable, Hashable {
    public var name: String
    /// What it reads, in one line.
    public var summary: String
    /// The attributes without which it cannot work, and those that it may be given.
    public var needs: [String]
    public var takes: [String]
    /// A call of `laurel ingest` that works.
    public var example: String

    public init(name: String, summary: String, needs: [String], takes: [String], example: String) {
        (self.name, self.summary, self.needs, self.takes, self.example) = (name, summary, needs, takes, example)
    }
}

/// What would come of a file in a format.
public struct FormatTrial: Sendable, Hashable {
    public struct Kind: Sendable, Hashable {
        /// Of what kind the events are, in the words of the format's mapping.
        public var what: String
        /// How many there are, and how many of them would be refused.
        public var events = 0
        public var refused = 0

        public init(what: String) { self.what = what }
    }

    public var kinds: [Kind] = []
    /// What the file holds and could not come over.
    public var leftOut: [IngestReport.LeftOut] = []
    /// Why events would be refused: the first twenty, `LINE: MESSAGE`.
    public var problems: [String] = []

    public init() {}

    public var events: Int { kinds.reduce(0) { $0 + $1.events } }
}
