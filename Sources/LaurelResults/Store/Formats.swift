// SPDX-License-Identifier: Apache-2.0

/// A format that events can be read from, as a list of formats shows it.
public struct FormatListing: Codable, Sendable, Hashable {
    /// The name, as `--format` takes it.
    public var name: String
    /// The contents that the format reads, in one line.
    public var summary: String
    /// The names of the attributes that must be given beside the file.
    public var needs: [String]
    /// The names of the attributes that may be given beside the file.
    public var takes: [String]
    /// A working call of `laurel ingest`.
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
        /// The number of records that are of this kind, those that would be refused included.
        public var events = 0
        /// The number of records of this kind from which no valid event can be made.
        public var refused = 0

        /// Creates a value, for previews and tests.
        public init(what: String) { self.what = what }
    }

    /// The kinds, in the order of the mapping.
    public var kinds: [Kind] = []
    /// The parts of the file from which no event can be made.
    public var leftOut: [IngestReport.LeftOut] = []
    /// The reasons why records would be refused, as `LINE: MESSAGE`; the first twenty.
    public var problems: [String] = []

    /// Creates a value, for previews and tests.
    public init() {}

    /// The number of records of all kinds, those that would be refused included.
    public var events: Int { kinds.reduce(0) { $0 + $1.events } }
}
