// SPDX-License-Identifier: Apache-2.0

/// An action of a learner: a type and its data, without the learner and the time.
///
/// There is a constructor for every type of the ``Catalogue``, such as
/// ``lineSpoken(line:text:translation:role:accuracy:errors:words:durationMs:)``. Values are checked when the event is
/// recorded, and never changed. A value that the engine would refuse causes an ``InvalidEvent``.
public struct LearningEvent: Sendable, Hashable {
    /// The type, such as `line.spoken`.
    public let type: String
    /// The data by field name, without missing fields.
    public private(set) var data: [String: JSONValue]

    /// Creates an event of your own type, whose fields the rules file declares. If the type is in the catalogue, the
    /// event gets the same checks as from the type's constructor.
    /// - Parameters:
    ///   - type: the type's name: lower-case words and digits joined by `.`, `_` or `-`; at most 64 bytes.
    ///   - data: the fields of the type, and further fields that your rules read.
    public init(type: String, data: [String: JSONValue] = [:]) {
        self.type = type
        self.data = data
    }

    /// The event with a further field. The engine stores and exports the field.
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
    /// The learner practises alone.
    case solo
    /// The learner practises with others, on the device that leads the session.
    case host
    /// The learner practises with others, on a device that joined the session.
    case client
}

/// The grade of a review: the ease of remembering the word.
public enum ReviewGrade: String, Sendable, CaseIterable {
    /// The word was not remembered.
    case again
    /// The word was remembered with effort.
    case hard
    /// The word was remembered.
    case good
    /// The word was remembered at once.
    case easy
}

/// The outcome of a week in a league.
public enum LeagueOutcome: String, Sendable, CaseIterable {
    /// The learner moves up to the next tier.
    case promoted
    /// The learner stays in the tier.
    case stayed
    /// The learner moves down a tier.
    case demoted
}
