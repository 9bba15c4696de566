// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// Values that an adapter may need in addition to the file.
public struct AdapterOptions: Sendable {
    /// The learner's id; nil if the option is not given.
    public var subject: String?
    /// The BCP 47 tag of the language that the learner studies; nil if the option is not given.
    public var language: String?
    /// The IANA name of the learner's time zone; nil if the option is not given.
    public var timezone: String?
    /// The `source` of the events; nil for the adapter's default.
    public var source: String?
    /// The maximum time that SQLite may take to read a file, in seconds; nil for 600.
    public var fileSeconds: Double?
    /// True to refuse each record that the mapping neither converts nor leaves out; false to count such records.
    package var refusesUnmapped = false

    public init(subject: String? = nil, language: String? = nil, timezone: String? = nil, source: String? = nil) {
        self.subject = subject
        self.language = language
        self.timezone = timezone
        self.source = source
    }

    /// The names of the options, as used in help and in ``AdapterKind/needs``.
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

/// The error for an input that an adapter cannot read. An option is missing, or the file has another format.
public struct AdapterError: Error, Sendable, Hashable, CustomStringConvertible {
    public var message: String
    public var description: String { message }
}

/// The result of reading one record of a file.
package struct AdaptedRecord: Sendable {
    package enum Outcome: Sendable {
        /// A CloudEvent as JSON. It is decoded and checked like any sent event.
        case event([UInt8])
        case refused(Refusal)
    }

    /// The record's number, from 1: the line of a text file, or the row of a query.
    package var line: Int
    /// The record as it is in the file. If the record or its event is refused, these bytes are stored in quarantine.
    package var original: ArraySlice<UInt8>
    package var outcome: Outcome
    /// The index of the record's kind in ``Adapter/kinds``; ``noKind`` if the kind is unknown.
    package var kind = 0
    /// The record's position in messages, such as "words, row 17"; nil if the line number is enough.
    package var place: String?
    /// True if a stored event with the same identity is preserved, even if its content differs. No conflict is
    /// reported.
    package var keepsStored = false
    /// The claim to supersede stored events about the same activity; nil if the event supersedes none.
    package var claim: SupersedingClaim?

    package static let noKind = -1

    package init(
        line: Int,
        original: ArraySlice<UInt8>,
        outcome: Outcome,
        kind: Int = 0,
        place: String? = nil,
        keepsStored: Bool = false,
        claim: SupersedingClaim? = nil
    ) {
        self.line = line
        self.original = original
        self.outcome = outcome
        self.kind = kind
        self.place = place
        self.keepsStored = keepsStored
        self.claim = claim
    }
}

/// Data about an event that supersedes others. Either the event's id is a ``VersionID``, or the event replaces events
/// that were made earlier from the same file.
package struct SupersedingClaim: Sendable, Hashable {
    /// The id of the replaced event; nil if the event replaces none. If the id ends in `*`, all ids with that beginning
    /// are replaced.
    package var replaced: [UInt8]?
    package var replacedSource: [UInt8]
    /// The language of the event. Only events of the same language are replaced.
    package var language: [UInt8]?

    package init(replaced: [UInt8]?, replacedSource: [UInt8], language: [UInt8]?) {
        self.replaced = replaced
        self.replacedSource = replacedSource
        self.language = language
    }
}

/// A part of a file that cannot be imported.
package struct LeftOut: Sendable, Equatable {
    package var what: String
    package var count: Int
    package var why: String
}

/// Reads a file format of another app, and converts it to CloudEvents.
///
/// The same file always gives the same events with the same ids. A longer version of the file gives these events and
/// new events. A file can therefore be read repeatedly.
package protocol Adapter {
    /// The copies of apps' stores among the inputs read so far; empty if the format does not describe store copies.
    var copies: [StoreCopy] { get }

    /// The names of the kinds of records, for a summary; empty if all records have the same kind.
    var kinds: [String] { get }

    /// Passes the records of an input to `emit`, in order. Returns the parts of the file that were left out.
    /// - Parameter path: the path of the input; nil if the input is not a file.
    /// - Throws: an error if the input has another format or ends too early, and any error of `emit`.
    mutating func read(
        _ input: inout InputReader,
        path: String?,
        emit: (AdaptedRecord) throws -> Void
    ) throws -> [LeftOut]
}

extension Adapter {
    package var copies: [StoreCopy] { [] }
}

/// A file format that can be converted to events.
public struct AdapterKind: Sendable {
    /// The format's name for `--format`.
    public let name: String
    /// The content of such files, in one line.
    public let summary: String
    /// An example of a command that reads such a file.
    public let example: String
    /// The options that the format requires, and all options that it accepts.
    public let needs: [AdapterOptions.Name]
    public let takes: [AdapterOptions.Name]
    package let shape: InputShape
    /// The mapping file that describes the format; nil if code reads the format.
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

/// THE list of adapters, from which `--format` and `laurel formats` are derived. A format that a mapping can describe
/// is added as a file in `Formats/` and a line in ``ShippedMappings``. A format that needs code is added as a line
/// here.
public enum Adapters {
    public static let all: [AdapterKind] =
        (ShippedMappings.all.map(AdapterKind.init(mapping:)) + [FSRSReviewLog.kind]).sorted { $0.name < $1.name }

    /// The format with a name; nil if there is none. Loads only that format's mapping.
    public static func kind(named name: String) -> AdapterKind? {
        name == FSRSReviewLog.kind.name
            ? FSRSReviewLog.kind : ShippedMappings.named(name).map(AdapterKind.init(mapping:))
    }

    /// The format with a name. Throws an error that suggests the nearest name if there is none.
    public static func find(_ name: String) throws(AdapterError) -> AdapterKind {
        if let kind = kind(named: name) { return kind }
        let names = ["cloudevents"] + all.map(\.name)
        let hint = didYouMean(aside: names.nearest(to: name))
        throw AdapterError(message: "there is no format \(name)\(hint); formats: \(names.joined(separator: ", "))")
    }
}
