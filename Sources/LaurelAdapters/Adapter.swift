// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// What an adapter needs beside the file.
public struct AdapterOptions: Sendable {
    /// The learner's id.
    public var subject: String?
    /// BCP 47 tag of the language being learned.
    public var language: String?
    /// IANA name of the zone on whose clock the learner practised.
    public var timezone: String?
    /// The events' `source`; each adapter has one of its own.
    public var source: String?
    /// The most seconds that SQLite may take to read a file; nil for 600.
    public var fileSeconds: Double?

    public init(subject: String? = nil, language: String? = nil, timezone: String? = nil, source: String? = nil) {
        self.subject = subject
        self.language = language
        self.timezone = timezone
        self.source = source
    }

    /// The names under which options are listed, in help as in ``AdapterKind/needs``.
    public enum Name: String, Sendable, CaseIterable {
        case subject, language, timezone, source
    }

    public subscript(name: Name) -> String? {
        switch name {
        case .subject: subject
        case .language: language
        case .timezone: timezone
        case .source: source
        }
    }
}

/// An adapter cannot read an input: an option is missing, or the file has another format.
public struct AdapterError: Error, Sendable, Hashable, CustomStringConvertible {
    public var message: String
    public var description: String { message }
}

/// What became of one record of a file.
package struct AdaptedRecord {
    package enum Outcome {
        /// CloudEvents JSON. It is decoded and checked like an event that was sent.
        case event([UInt8])
        case refused(Refusal)
    }

    /// Where the record starts, from 1: the line of a text, the row of a query.
    package var line: Int
    /// The record as it stands in the file. It goes to quarantine if it or its event is refused.
    package var original: ArraySlice<UInt8>
    package var outcome: Outcome
    /// Which of ``Adapter/kinds`` it is; ``noKind`` where it cannot be told.
    package var kind = 0
    /// Where it stands where a line does not tell, for messages: "words, row 17".
    package var place: String?
    /// True if a stored event of the same identity stays, whatever its content, and without a report.
    package var keepsKnown = false
    /// How the event relates to stored events that tell of the same thing.
    package var claim: SupersedingClaim?

    package static let noKind = -1

    package init(
        line: Int,
        original: ArraySlice<UInt8>,
        outcome: Outcome,
        kind: Int = 0,
        place: String? = nil,
        keepsKnown: Bool = false,
        claim: SupersedingClaim? = nil
    ) {
        self.line = line
        self.original = original
        self.outcome = outcome
        self.kind = kind
        self.place = place
        self.keepsKnown = keepsKnown
        self.claim = claim
    }
}

/// That an event has a ``VersionID``, or takes the place of events that were made of the same file before.
package struct SupersedingClaim: Sendable, Hashable {
    /// The id of the event that it replaces; the beginning of ids where it ends in `*`.
    package var replaced: [UInt8]?
    package var replacedSource: [UInt8]
    /// Only events of the same are replaced.
    package var language: [UInt8]?

    package init(replaced: [UInt8]?, replacedSource: [UInt8], language: [UInt8]?) {
        self.replaced = replaced
        self.replacedSource = replacedSource
        self.language = language
    }
}

/// Something that a file holds and that cannot come over.
package struct LeftOut: Sendable, Equatable {
    package var what: String
    package var count: Int
    package var why: String
}

/// Reads a frontend's format and makes CloudEvents of it.
///
/// The same file gives the same events with the same ids again, and a longer one gives those and the new ones, so that a
/// file can be fed as often as one likes.
package protocol Adapter {
    /// The stores that the inputs read so far are copies of, if the format tells.
    var copies: [StoreCopy] { get }

    /// What the records are, for a summary by kind; none where they are all of one.
    var kinds: [String] { get }

    /// Emits the records of an input in order, and reports what was left out. Throws if the input has another format,
    /// if it ends or breaks too early, and whatever `emit` throws.
    /// - Parameter path: the input's file, where it is one.
    mutating func read(
        _ input: inout InputReader,
        path: String?,
        emit: (AdaptedRecord) throws -> Void
    ) throws -> [LeftOut]
}

extension Adapter {
    package var copies: [StoreCopy] { [] }
}

/// One format that events can be read from.
public struct AdapterKind: Sendable {
    /// As given to `--format`.
    public let name: String
    /// What it reads, in one line.
    public let summary: String
    /// A call that works.
    public let example: String
    /// The options that it needs, and those that it accepts.
    public let needs: [AdapterOptions.Name]
    public let takes: [AdapterOptions.Name]
    package let shape: InputShape
    /// The mapping file that it is, where it is one.
    package let mapping: Mapping?
    private let make: @Sendable (AdapterOptions) throws(AdapterError) -> any Adapter

    init(
        _ name: String,
        _ summary: String,
        example: String,
        needs: [AdapterOptions.Name],
        takes: [AdapterOptions.Name],
        shape: InputShape,
        mapping: Mapping? = nil,
        make: @escaping @Sendable (AdapterOptions) throws(AdapterError) -> any Adapter
    ) {
        self.name = name
        self.summary = summary
        self.example = example
        self.needs = needs
        self.takes = takes
        self.shape = shape
        self.mapping = mapping
        self.make = make
    }

    package func adapter(_ options: AdapterOptions) throws(AdapterError) -> any Adapter {
        for name in needs where options[name] == nil {
            throw AdapterError(message: "format \(self.name) needs --\(name.rawValue); example: \(example)")
        }
        if let timezone = options.timezone, TimeZoneDatabase.shared.zone(named: timezone) == nil {
            let hint = didYouMean(aside: TimeZoneDatabase.shared.nearestName(to: timezone))
            throw AdapterError(message: "there is no time zone \(timezone)\(hint); give an IANA name")
        }
        return try make(options)
    }
}

/// THE list of adapters. `--format` and `laurel formats` derive from it. A format that a mapping file can describe is
/// one file in `Formats/` and a line in ``ShippedMappings``; one that needs code has a line here.
public enum Adapters {
    public static let all: [AdapterKind] =
        (ShippedMappings.all.map(AdapterKind.init(mapping:)) + [FSRSReviewLog.kind]).sorted { $0.name < $1.name }

    /// Only this one mapping is read.
    public static func kind(named name: String) -> AdapterKind? {
        name == FSRSReviewLog.kind.name
            ? FSRSReviewLog.kind : ShippedMappings.named(name).map(AdapterKind.init(mapping:))
    }

    /// The adapter of that name, or an error that names the nearest.
    public static func find(_ name: String) throws(AdapterError) -> AdapterKind {
        if let kind = kind(named: name) { return kind }
        let names = ["cloudevents"] + all.map(\.name)
        let hint = didYouMean(aside: names.nearest(to: name))
        throw AdapterError(message: "there is no format \(name)\(hint); formats: \(names.joined(separator: ", "))")
    }
}
