// SPDX-License-Identifier: Apache-2.0

/// What became of the events of one request that were stored together with those of others.
public struct RequestReport: Codable, Sendable, Hashable {
    /// An event that was not stored: refused, or in conflict with a stored one.
    public struct Problem: Codable, Sendable, Hashable {
        /// Among the request's events, from 0.
        public var index: Int
        /// The event's id, as far as it could be read.
        public var id: String?
        /// Its source, as far as it could be read.
        public var source: String?
        /// Its learner, as far as it could be read.
        public var subject: String?
        /// A stable name of the reason, such as `invalid-field` or `conflict`.
        public var code: String
        /// What was wrong, and what would be right.
        public var message: String

        /// A problem.
        public init(index: Int, id: String?, source: String?, subject: String?, code: String, message: String) {
            (self.index, self.id, self.source, self.subject) = (index, id, source, subject)
            (self.code, self.message) = (code, message)
        }
    }

    /// The sum of the four below.
    public var read = 0
    /// Events that are new.
    public var stored = 0
    /// Events that were stored before.
    public var duplicates = 0
    /// Events with the identity of a stored event and other content. The stored event stays; these are in quarantine.
    public var conflicts = 0
    /// What is not an event. It is in quarantine, unless there was no room.
    public var refused = 0
    /// Of those refused or in conflict, what quarantine had no room for.
    public var notKept = 0
    /// Every event that was not stored and is no duplicate, by its index.
    public var problems: [Problem] = []
    /// Names that neither the catalogue nor the rules know.
    public var unknown: [IngestReport.UnknownName] = []
    /// Of learners whom the request touched, where it asked for that, as of the commit that stored its events.
    public var progress: [LearnerProgress]?

    /// Of nothing read.
    public init() {}

    private enum CodingKeys: String, OmittableKey {
        case problems, unknown, progress

        var isOmittedIfNil: Bool { true }
    }

    /// What there may be is there only where it is not empty.
    public func encode(to encoder: any Encoder) throws {
        try encodeCounts(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(problems, forKey: .problems)
        if !unknown.isEmpty { try container.encode(unknown, forKey: .unknown) }
        try container.encodeIfPresent(progress, forKey: .progress)
    }

    public init(from decoder: any Decoder) throws {
        try decodeCounts(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        problems = try container.decodeIfPresent([Problem].self, forKey: .problems) ?? []
        unknown = try container.decodeIfPresent([IngestReport.UnknownName].self, forKey: .unknown) ?? []
        progress = try container.decodeIfPresent([LearnerProgress].self, forKey: .progress)
    }

    /// Adds what became of further events of the same request.
    public mutating func add(_ other: RequestReport) {
        for var problem in other.problems {
            problem.index += read
            problems.append(problem)
        }
        read += other.read
        stored += other.stored
        duplicates += other.duplicates
        conflicts += other.conflicts
        refused += other.refused
        notKept += other.notKept
        for name in other.unknown {
            if let index = unknown.firstIndex(where: {
                ($0.kind, $0.name, $0.type) == (name.kind, name.name, name.type)
            }) {
                unknown[index].count += name.count
            } else {
                unknown.append(name)
            }
        }
    }
}

extension RequestReport: EventCounting {}
