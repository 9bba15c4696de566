// SPDX-License-Identifier: Apache-2.0

/// The result of one request. Its events may have been stored in one transaction with events of other requests.
public struct RequestReport: Codable, Sendable, Hashable {
    /// An event that was not stored, because it was refused or contradicts a stored event.
    public struct Problem: Codable, Sendable, Hashable {
        /// The event's index in the request, from 0.
        public var index: Int
        /// The event's id; nil if it could not be read.
        public var id: String?
        /// The event's source; nil if it could not be read.
        public var source: String?
        /// The event's learner; nil if it could not be read.
        public var learner: String?
        /// The stable code of the reason, such as `invalid-field` or `conflict`.
        public var code: String
        /// The error, and how to correct it.
        public var message: String

        /// Creates a value, for previews and tests.
        public init(index: Int, id: String?, source: String?, learner: String?, code: String, message: String) {
            (self.index, self.id, self.source, self.learner) = (index, id, source, learner)
            (self.code, self.message) = (code, message)
        }
    }

    /// The number of events read: the sum of `stored`, `duplicates`, `conflicts` and `refused`.
    public var read = 0
    /// The number of new events, which are now stored.
    public var stored = 0
    /// The number of events that were already stored.
    public var duplicates = 0
    /// The number of events with the identity of a stored event, but other content. The stored event is unchanged. The
    /// new event is in quarantine if there was room.
    public var conflicts = 0
    /// The number of records that are not valid events. They are in quarantine if there was room.
    public var refused = 0
    /// The number of refused or conflicting events for which quarantine had no room. They are counted, but not stored.
    public var notKept = 0
    /// The refused or conflicting events, ascending by index.
    public var problems: [Problem] = []
    /// The number of refused or conflicting events that `problems` does not list. The JSON leaves it out if it is 0.
    public var problemsOmitted = 0
    /// The names that are in neither the catalogue nor the store's rules. The JSON leaves out an empty list.
    public var unknown: [IngestReport.UnknownName] = []
    /// The progress of the learners in the request, as of the commit that stored its events; nil if the request did not
    /// ask for it.
    public var progress: [LearnerProgress]?

    /// Creates the report of a request without events.
    public init() {}

    private enum CodingKeys: String, OmittableKey {
        case problems, problemsOmitted, unknown, progress

        var isOmittedIfNil: Bool { true }
    }

    /// Leaves out empty and nil members, except `problems`.
    public func encode(to encoder: any Encoder) throws {
        try encodeCounts(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(problems, forKey: .problems)
        if problemsOmitted > 0 { try container.encode(problemsOmitted, forKey: .problemsOmitted) }
        if !unknown.isEmpty { try container.encode(unknown, forKey: .unknown) }
        try container.encodeIfPresent(progress, forKey: .progress)
    }

    public init(from decoder: any Decoder) throws {
        try decodeCounts(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        problems = try container.decodeIfPresent([Problem].self, forKey: .problems) ?? []
        problemsOmitted = try container.decodeIfPresent(Int.self, forKey: .problemsOmitted) ?? 0
        unknown = try container.decodeIfPresent([IngestReport.UnknownName].self, forKey: .unknown) ?? []
        progress = try container.decodeIfPresent([LearnerProgress].self, forKey: .progress)
    }

    /// The maximum number of different unknown names, the same as in an ``IngestReport``.
    private static let mostUnknown = 1000
    /// The maximum number of problems in an answer of the service.
    package static let mostProblems = 1000

    /// Drops problems beyond the first 1,000, and counts them.
    package mutating func limitProblems() {
        guard problems.count > Self.mostProblems else { return }
        problemsOmitted += problems.count - Self.mostProblems
        problems.removeLast(problems.count - Self.mostProblems)
    }

    /// Adds the report of further events of the same request. Their indexes continue after this report's `read`. Their
    /// progress is not added.
    /// - Complexity: O(problems of `other` + unknown names of both). At most 1,000 unknown names are listed.
    public mutating func add(_ other: RequestReport) {
        for var problem in other.problems {
            problem.index += read
            problems.append(problem)
        }
        problemsOmitted += other.problemsOmitted
        read += other.read
        stored += other.stored
        duplicates += other.duplicates
        conflicts += other.conflicts
        refused += other.refused
        notKept += other.notKept
        var places = Dictionary(unknown.indices.map { (Self.key(unknown[$0]), $0) }) { first, _ in first }
        for name in other.unknown {
            let key = Self.key(name)
            if let place = places[key] {
                unknown[place].count += name.count
            } else if unknown.count < Self.mostUnknown {
                places[key] = unknown.count
                unknown.append(name)
            }
        }
    }

    private static func key(_ name: IngestReport.UnknownName) -> [String?] { [name.kind, name.name, name.type] }
}

extension RequestReport: EventCounting {}
