// SPDX-License-Identifier: Apache-2.0

/// A format that events are read from, as a listing tells it.
public struct FormatListing: Codable, Sendable, Hashable {
    /// As `--format` takes it.
    public var name: String
    /// What it reads, in one line.
    public var summary: String
    /// The attributes without which it cannot work, and those that it may be given.
    public var needs: [String]
    /// Options it may be given.
    public var takes: [String]
    /// A call of `laurel ingest` that works.
    public var example: String

    /// Creates one, for previews and tests.
    public init(name: String, summary: String, needs: [String], takes: [String], example: String) {
        (self.name, self.summary, self.needs, self.takes, self.example) = (name, summary, needs, takes, example)
    }
}

/// What would come of a file in a format.
public struct FormatTrial: Sendable, Hashable {
    /// What a mapping makes of one kind of record.
    public struct Kind: Sendable, Hashable {
        /// Of what kind the events are, in the words of the format's mapping.
        public var what: String
        /// How many there are, and how many of them would be refused.
        public var events = 0
        /// Records that it cannot make an event of.
        public var refused = 0

        /// Creates one, for previews and tests.
        public init(what: String) { self.what = what }
    }

    /// In the order of the mapping.
    public var kinds: [Kind] = []
    /// What the file holds and could not come over.
    public var leftOut: [IngestReport.LeftOut] = []
    /// Why events would be refused: the first twenty, `LINE: MESSAGE`.
    public var problems: [String] = []

    /// Creates one, for previews and tests.
    public init() {}

    /// How many events it would make.
    public var events: Int { kinds.reduce(0) { $0 + $1.events } }
}
