// SPDX-License-Identifier: Apache-2.0

/// The English nouns for events, as readers call them: `1 review`, `2 reviews`.
enum EventNoun {
    /// THE list of nouns, singular and plural, by event type. An event of another type is called by its type.
    private static let nouns: [String: (one: String, other: String)] = [
        "session.started": ("started session", "started sessions"),
        "session.ended": ("session", "sessions"),
        "line.spoken": ("line", "lines"),
        "line.skipped": ("skipped line", "skipped lines"),
        "word.added": ("added word", "added words"),
        "word.updated": ("edited word", "edited words"),
        "word.removed": ("removed word", "removed words"),
        "word.encountered": ("meeting with a word", "meetings with words"),
        "word.learned": ("word marked as learned", "words marked as learned"),
        "word.unlearned": ("word marked as not learned", "words marked as not learned"),
        "word.imported": ("imported word", "imported words"),
        "review.graded": ("review", "reviews"),
        "error.detected": ("mistake", "mistakes"),
        "error.corrected": ("corrected mistake", "corrected mistakes"),
        "repair.made": ("repaired misunderstanding", "repaired misunderstandings"),
        "help.given": ("act of help", "acts of help"),
        "hint.used": ("hint", "hints"),
        "scenario.completed": ("completed scenario", "completed scenarios"),
        "team.won": ("team victory", "team victories"),
        "object.scanned": ("recognised object", "recognised objects"),
        "conversation.ended": ("conversation", "conversations"),
    ]

    /// The noun for a number of events; nil if the type has none.
    static func noun(_ type: String, _ count: Int) -> String? { nouns[type].map { count == 1 ? $0.one : $0.other } }
}

extension Story {
    /// A count of events with their noun: `42 reviews`, `2 events of the type org.example.quiz`.
    static func events(_ count: Int, _ type: String) -> Story {
        if let noun = EventNoun.noun(type, count) { return "\(number(count)) \(.text(noun))" }
        return "\(Story.count(count, "event")) of the type \(.data(type))"
    }

    /// A count of events among all events of the type: `30 of 42 reviews`; `42 reviews` if all are counted.
    static func events(_ count: Int, of all: Int, _ type: String) -> Story {
        count == all ? events(all, type) : "\(number(count)) of \(events(all, type))"
    }
}
