// SPDX-License-Identifier: Apache-2.0

/// A format that events can be read from, as a list of formats shows it.
public struct FormatListing: Codable, Sendable, Hashable {
    /// The name, as `--format` takes it.
    public var name: String
    /// What the format reads, in one line.
    public var summary: String
    /// The names of the attributes that must be given beside the file.
    public var needs: [String]
    /// The names of the attributes that may be given beside the file.
    public var takes: [String]
    /// A working call of `laurel ingest`.
    public var example: String

    /// Creates one, for previews and tests.
    public init(name: String, summary: String, needs: [String], takes: [String], example: String) {
        (self.name, self.summary, self.needs, self.takes, self.example) = (name, summary, needs, takes, example)
    }
}

/// What an ingest of a file in some format would do.
public struct FormatTrial: Sendable, Hashable {
    /// One kind of record that the format's mapping knows.
    public struct Kind: Sendable, Hashable {
        /// The kind, in the words of the mapping.
        public var what: String
        /// How many records are of this kind, those that would be refused included.
        public var events = 0
        /// How many of them no valid event can be made of.
        public var refused = 0

        /// Creates one, for previews and tests.
        public init(what: String) { self.what = what }
    }

    /// The kinds, in the order of the mapping.
    public var kinds: [Kind] = []
    /// What the file holds that no event can be made of.
    public var leftOut: [IngestReport.LeftOut] = []
    /// Why records would be refused, as `LINE: MESSAGE`; the first twenty.
    public var problems: [String] = []

    /// Creates one, for previews and tests.
    public init() {}

    /// How many records there are of all kinds, those that would be refused included.
    public var events: Int { kinds.reduce(0) { $0 + $1.events } }
}
