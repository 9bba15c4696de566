// SPDX-License-Identifier: Apache-2.0

/// A time zone of the simulated world.
struct Zone {
    var name: String
    /// The offset from UTC in winter (standard time), in minutes, positive east of Greenwich. It is exact enough for a
    /// plausible hour of the day.
    var offset: Int
    /// True if the zone has no daylight saving time. `offset` is then exact, and may be written in `time`.
    var isFixed: Bool
    /// The native language of the learners in the zone.
    var nativeLanguage: String
    /// The number of the region. People in a region are awake at the same time, and play with each other.
    var region: Int

    static let all: [Zone] = [
        Zone(name: "Asia/Tokyo", offset: 540, isFixed: true, nativeLanguage: "ja", region: 2),
        Zone(name: "Asia/Kolkata", offset: 330, isFixed: true, nativeLanguage: "hi", region: 2),
        Zone(name: "Asia/Kathmandu", offset: 345, isFixed: true, nativeLanguage: "ne", region: 2),
        Zone(name: "America/Bogota", offset: -300, isFixed: true, nativeLanguage: "es", region: 0),
        Zone(name: "Africa/Lagos", offset: 60, isFixed: true, nativeLanguage: "en", region: 1),
        Zone(name: "Europe/Berlin", offset: 60, isFixed: false, nativeLanguage: "de", region: 1),
        Zone(name: "Europe/London", offset: 0, isFixed: false, nativeLanguage: "en", region: 1),
        Zone(name: "Africa/Cairo", offset: 120, isFixed: false, nativeLanguage: "ar", region: 1),
        Zone(name: "America/New_York", offset: -300, isFixed: false, nativeLanguage: "en", region: 0),
        Zone(name: "America/Los_Angeles", offset: -480, isFixed: false, nativeLanguage: "en", region: 0),
        Zone(name: "America/Sao_Paulo", offset: -180, isFixed: false, nativeLanguage: "pt", region: 0),
        Zone(name: "Australia/Adelaide", offset: 570, isFixed: false, nativeLanguage: "en", region: 2),
    ]
    static let regionCount = 3
    /// The number of zones without daylight saving time, which come first in the list.
    static let fixedCount = 5
    /// The largest offset of a zone, in milliseconds.
    static let largestOffset = 10 * Clock.hour
}

/// The languages that learners study. A language is identified by its index in `tags`.
enum Language {
    static let tags = ["es", "fr", "de", "ja", "it", "pt"]
    /// For each language, the percentage of learners who study the language.
    static let shares = [30, 22, 18, 14, 10, 6]
    static let none: UInt8 = .max
}

/// Units of simulated time. Times are in milliseconds since the start of the first day in UTC.
enum Clock {
    static let second: Int64 = 1000
    static let minute = 60 * second
    static let hour = 60 * minute
    static let day = 24 * hour
}

/// The dialogs of the app. Each has two roles.
enum Scenario {
    static let all: [(name: String, roles: [String])] = [
        ("cafe", ["guest", "waiter"]), ("market", ["customer", "vendor"]), ("train-station", ["traveller", "clerk"]),
        ("hotel", ["guest", "receptionist"]), ("doctor", ["patient", "doctor"]), ("bakery", ["customer", "baker"]),
        ("job-interview", ["applicant", "manager"]), ("flat-viewing", ["tenant", "landlord"]),
        ("pharmacy", ["customer", "pharmacist"]), ("airport", ["passenger", "officer"]),
        ("library", ["reader", "librarian"]), ("restaurant", ["guest", "waiter"]), ("taxi", ["passenger", "driver"]),
        ("museum", ["visitor", "guide"]), ("bank", ["customer", "teller"]), ("post-office", ["customer", "clerk"]),
        ("hairdresser", ["customer", "hairdresser"]), ("gym", ["member", "trainer"]), ("school", ["pupil", "teacher"]),
        ("cinema", ["visitor", "cashier"]), ("garage", ["driver", "mechanic"]), ("party", ["guest", "host"]),
        ("lost-property", ["traveller", "clerk"]), ("detective", ["witness", "detective"]),
    ]
}

/// Lists of texts for events. The simulation selects from them.
enum Choices {
    static let hintLevels = ["VISUAL_CLUE", "STARTER_WORDS", "FULL_TRANSLATION"]
    static let errorKinds = ["verb-conjugation", "missing-article", "word-order", "gender", "pronunciation"]
    static let characters = ["Marta", "Hugo", "Frau Weber", "Kenji", "Nonna Rosa", "Inspector Dupont"]
    static let adjustmentReasons = ["support", "teacher-bonus", "imported-total"]
    static let questKinds = ["daily", "weekly", "story"]
    static let levels = ["A1", "A2", "B1", "B2", "C1", "C2"]
    static let displayNames = [
        "Ada", "Amir", "Ana", "Anouk", "Beatriz", "Ben", "Carlos", "Chidi", "Clara", "Dalia", "Diego", "Elif", "Emeka",
        "Emma", "Farah", "Felix", "Grace", "Haruto", "Ines", "Jonas", "José", "Kavya", "Leïla", "Liam", "Lucía", "Mai",
        "Maximilian", "Mia", "Nadia", "Noah", "Olu", "Omar", "Priya", "Renée", "Rohan", "Sakura", "Sita", "Sofia",
        "Søren", "Tariq", "Thomas", "Ursula", "Valentina", "Wei", "Yara", "Yūki", "Zoë", "Zainab",
    ]
}
