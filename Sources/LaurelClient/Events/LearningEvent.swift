// SPDX-License-Identifier: Apache-2.0

/// An action of a learner: a type and its data, without the learner and the time.
///
/// There is a constructor for every type of the ``Catalogue``, such as
/// ``lineSpoken(line:text:translation:role:accuracy:errors:words:durationMs:)``. Values are checked when the event is
/// recorded. Nothing is clamped. Values that the engine would refuse are refused at once, with an ``InvalidEvent``.
public struct LearningEvent: Sendable, Hashable {
    /// The type, such as `line.spoken`.
    public let type: String
    /// The data, by field; missing fields are absent.
    public private(set) var data: [String: JSONValue]

    /// An event of your own type, whose fields the rules file declares. Types of the catalogue are checked as if made
    /// by their constructors.
    /// - Parameters:
    ///   - type: lower-case words and digits joined by `.`, `_` or `-`; at most 64 bytes.
    ///   - data: the fields of the type, and further fields that your rules read.
    public init(type: String, data: [String: JSONValue] = [:]) {
        self.type = type
        self.data = data
    }

    /// The event with a further field, which the engine keeps and exports.
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

/// The grade of a review: the ease of remembering the word.
public enum ReviewGrade: String, Sendable, CaseIterable {
    /// It was not remembered.
    case again
    /// It was remembered with effort.
    case hard
    /// It was remembered.
    case good
    /// It was remembered at once.
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
