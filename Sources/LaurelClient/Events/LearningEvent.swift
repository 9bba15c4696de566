// SPDX-License-Identifier: Apache-2.0

/// Something a learner did: a type and its data, without who and when.
///
/// There is a constructor for every type of the ``Catalogue``, such as ``lineSpoken(line:text:translation:role:accuracy:errors:words:durationMs:)``.
/// Values are checked when the event is recorded: nothing is clamped, and what the engine would refuse is refused at once, as an
/// ``InvalidEvent``.
public struct LearningEvent: Sendable, Hashable {
    /// Such as `line.spoken`.
    public let type: String
    /// What is known about it, by field; fields that were not given are absent.
    public private(set) var data: [String: JSONValue]

    /// An event of a type of your own, whose fields the rules file declares. Types of the catalogue are checked like
    /// those that come from its constructors.
    /// - Parameters:
    ///   - type: lower-case words and digits joined by `.`, `_` or `-`; at most 64 bytes.
    ///   - data: the fields that the type has, and others that your rules read.
    public init(type: String, data: [String: JSONValue] = [:]) {
        self.type = type
        self.data = data
    }

    /// The event with one field more, which the engine keeps and gives back on export.
    public func adding(_ field: String, _ value: JSONValue) -> LearningEvent {
        var event = self
        event.data[field] = value
        return event
    }

    init(_ type: String, _ fields: KeyValuePairs<String, (any FieldValue)?> = [:]) {
        self.type = type
        data = [:]
        for (name, value) in fields {
            if let value { data[name] = value.json }
        }
    }
}

/// The mode of a session.
public enum SessionMode: String, Sendable, CaseIterable {
    /// Alone.
    case solo
    /// With others, on the device that leads.
    case host
    /// With others, on a device that follows.
    case client
}

/// How well a word was remembered.
public enum ReviewGrade: String, Sendable, CaseIterable {
    /// It was not remembered.
    case again
    /// It was, with effort.
    case hard
    /// It was.
    case good
    /// It was, at once.
    case easy
}

/// The outcome of a week in a league.
public enum LeagueOutcome: String, Sendable, CaseIterable {
    /// The learner goes up to the next tier.
    case promoted
    /// The learner keeps the tier.
    case stayed
    /// The learner goes down a tier.
    case demoted
}
