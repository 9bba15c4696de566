// SPDX-License-Identifier: Apache-2.0

/// Numbers of events with their nouns, as readers call them: `1 review`, `2 reviews`.
enum EventNoun {
    /// THE list of nouns by event type. An event of another type is called by its type.
    private static let nouns: [String: @Sendable (Int) -> Story] = [
        "session.started": { "\($0, "started session")" },
        "session.ended": { "\($0, "session")" },
        "line.spoken": { "\($0, "line")" },
        "line.skipped": { "\($0, "skipped line")" },
        "word.added": { "\($0, "added word")" },
        "word.updated": { "\($0, "edited word")" },
        "word.removed": { "\($0, "removed word")" },
        "word.encountered": { "\($0, "meeting with a word", "meetings with words")" },
        "word.learned": { "\($0, "word marked as learned", "words marked as learned")" },
        "word.unlearned": { "\($0, "word marked as not learned", "words marked as not learned")" },
        "word.imported": { "\($0, "imported word")" },
        "review.graded": { "\($0, "review")" },
        "error.detected": { "\($0, "mistake")" },
        "error.corrected": { "\($0, "corrected mistake")" },
        "repair.made": { "\($0, "repaired misunderstanding")" },
        "help.given": { "\($0, "act of help", "acts of help")" },
        "hint.used": { "\($0, "hint")" },
        "scenario.completed": { "\($0, "completed scenario")" },
        "team.won": { "\($0, "team victory", "team victories")" },
        "object.scanned": { "\($0, "recognised object")" },
        "conversation.ended": { "\($0, "conversation")" },
    ]

    /// A number of events with their noun; nil if the type has none.
    static func counted(_ type: String, _ count: Int) -> Story? { nouns[type]?(count) }
}

extension Story {
    /// A count of events with their noun: `42 reviews`, `2 events of the type org.example.quiz`.
    static func events(_ count: Int, _ type: String) -> Story {
        EventNoun.counted(type, count) ?? "\(count, "event") of the type \(.data(type))"
    }
}
