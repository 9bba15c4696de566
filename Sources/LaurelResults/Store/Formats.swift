// SPDX-License-Identifier: Apache-2.0

/// A format in which events can be read, as an entry in a list of formats.
public struct FormatListing: Codable, Sendable, Hashable {
    /// The name for the option `--format`.
    public var name: String
    /// The contents that the format reads, in one line.
    public var summary: String
    /// The names of the attributes that you must give in addition to the file.
    public var needs: [String]
    /// The names of the attributes that you may give in addition to the file.
    public var takes: [String]
    /// A working example of `laurel ingest`.
    public var example: String

    /// Creates a value, for previews and tests.
    public init(name: String, summary: String, needs: [String], takes: [String], example: String) {
        (self.name, self.summary, self.needs, self.takes, self.example) = (name, summary, needs, takes, example)
    }
}

/// The expected result of ingesting a file in a format.
public struct FormatTrial: Sendable, Hashable {
    /// One kind of record that the format's mapping knows.
    public struct Kind: Sendable, Hashable {
        /// The kind, in the words of the mapping.
        public var what: String
        /// The number of records of this kind, including records that would be refused.
        public var events = 0
        /// The number of records of this kind that give no valid event.
        public var refused = 0

        /// Creates a value, for previews and tests.
        public init(what: String) { self.what = what }
    }

    /// The kinds, in the order of the mapping.
    public var kinds: [Kind] = []
    /// The parts of the file that give no event.
    public var leftOut: [IngestReport.LeftOut] = []
    /// The reasons why records would be refused, as `LINE: MESSAGE`; the first twenty.
    public var problems: [String] = []

    /// Creates a value, for previews and tests.
    public init() {}

    /// The number of records of all kinds, including records that would be refused.
    public var events: Int { kinds.reduce(0) { $0 + $1.events } }
}
