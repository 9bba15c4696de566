// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// The attributes that an adapter may need besides the file.
public struct AdapterOptions: Sendable {
    /// The learner's id.
    public var subject: String?
    /// The BCP 47 tag of the language being learned.
    public var language: String?
    /// The IANA name of the learner's time zone.
    public var timezone: String?
    /// The events' `source`; nil for the adapter's default.
    public var source: String?
    /// The most seconds that SQLite may take to read a file; nil for 600.
    public var fileSeconds: Double?

    public init(subject: String? = nil, language: String? = nil, timezone: String? = nil, source: String? = nil) {
        self.subject = subject
        self.language = language
        self.timezone = timezone
        self.source = source
    }

    /// The names of the options, in help and in ``AdapterKind/needs``.
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

/// The error of an input that an adapter cannot read: an option is missing, or the file has another format.
public struct AdapterError: Error, Sendable, Hashable, CustomStringConvertible {
    public var message: String
    public var description: String { message }
}

/// The result of reading one record of a file.
package struct AdaptedRecord {
    package enum Outcome {
        /// CloudEvents JSON. It is decoded and checked like a sent event.
        case event([UInt8])
        case refused(Refusal)
    }

    /// The record's position, from 1: the line of a text, or the row of a query.
    package var line: Int
    /// The record as the file has it. It goes to quarantine if the record or its event is refused.
    package var original: ArraySlice<UInt8>
    package var outcome: Outcome
    /// The index in ``Adapter/kinds``; ``noKind`` if the kind is unknown.
    package var kind = 0
    /// The record's place for messages if a line is not enough: "words, row 17".
    package var place: String?
    /// True if a stored event of the same identity stays, whatever its content, without a report.
    package var keepsKnown = false
    /// The relation of the event to stored events about the same thing.
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

/// A note that an event has a ``VersionID``, or replaces events that were made earlier from the same file.
package struct SupersedingClaim: Sendable, Hashable {
    /// The id of the replaced event. An id that ends in `*` is the beginning of several ids.
    package var replaced: [UInt8]?
    package var replacedSource: [UInt8]
    /// The language. Only events of the same language are replaced.
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

/// Reads the format of a frontend, and makes CloudEvents from it.
///
/// The same file always gives the same events with the same ids. A longer file gives those and new ones, so a file can
/// be read repeatedly.
package protocol Adapter {
    /// The stores that the inputs read so far are copies of, if the format says so.
    var copies: [StoreCopy] { get }

    /// The kinds of records, for a summary; empty if all records are of one kind.
    var kinds: [String] { get }

    /// Emits the records of an input in order, and reports the parts that were left out. Throws if the input has
    /// another format, or ends too early, and rethrows errors of `emit`.
    /// - Parameter path: the input's file, if it is one.
    mutating func read(
        _ input: inout InputReader,
        path: String?,
        emit: (AdaptedRecord) throws -> Void
    ) throws -> [LeftOut]
}

extension Adapter {
    package var copies: [StoreCopy] { [] }
}

/// A format from which events can be read.
public struct AdapterKind: Sendable {
    /// The name for `--format`.
    public let name: String
    /// The contents of such files, in one line.
    public let summary: String
    /// A working call.
    public let example: String
    /// The options that the format needs, and those that it accepts.
    public let needs: [AdapterOptions.Name]
    public let takes: [AdapterOptions.Name]
    package let shape: InputShape
    /// The mapping file, if a mapping describes the format.
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

/// THE list of adapters, from which `--format` and `laurel formats` derive. A format that a mapping file can describe
/// is one file in `Formats/` and a line in ``ShippedMappings``. A format that needs code has a line here.
public enum Adapters {
    public static let all: [AdapterKind] =
        (ShippedMappings.all.map(AdapterKind.init(mapping:)) + [FSRSReviewLog.kind]).sorted { $0.name < $1.name }

    /// The kind of a name. Only its own mapping is read.
    public static func kind(named name: String) -> AdapterKind? {
        name == FSRSReviewLog.kind.name
            ? FSRSReviewLog.kind : ShippedMappings.named(name).map(AdapterKind.init(mapping:))
    }

    /// The adapter of a name, or an error that suggests the nearest name.
    public static func find(_ name: String) throws(AdapterError) -> AdapterKind {
        if let kind = kind(named: name) { return kind }
        let names = ["cloudevents"] + all.map(\.name)
        let hint = didYouMean(aside: names.nearest(to: name))
        throw AdapterError(message: "there is no format \(name)\(hint); formats: \(names.joined(separator: ", "))")
    }
}
