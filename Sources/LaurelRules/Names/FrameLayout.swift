// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The slot of each name in a `Frame`.
///
/// Track numbers: the windows come first. Each window contains the metrics in file order, and then XP. After the
/// windows come the streak, the level and the word counts, and then the names that only some rules read.
///
/// Event numbers: the fixed numbers of ``EventName`` come first, then one slot for each numeric or boolean field that
/// an expression reads.
///
/// Texts: the attributes of ``TextName`` come first, then one slot for each text field that an expression reads.
///
/// Fields of `learner.updated` that an expression reads as `learner.FIELD` have their own slots among the event's
/// numbers and the texts. So have the names of leagues.
package struct FrameLayout: Sendable {
    package enum Window: Int, Sendable, CaseIterable {
        case total, session, day, week, season

        /// The windows that all rules have, in the order of their slots. Rules with seasons also have ``season``.
        package static let always: [Window] = [.total, .session, .day, .week]

        /// True if the window starts and ends by the learner's calendar, as a day does.
        package var isOfCalendar: Bool { self != .total && self != .session }

        package var name: String {
            switch self {
            case .total: "total"
            case .session: "session"
            case .day: "day"
            case .week: "week"
            case .season: "season"
            }
        }
    }

    /// A number of a track outside the windows, identified by a text.
    package struct TrackName: Sendable, Equatable {
        /// The name in expressions.
        package let text: String
        /// True if the number can be null.
        package let mayBeNull: Bool

        package init(_ text: String, mayBeNull: Bool = false) { (self.text, self.mayBeNull) = (text, mayBeNull) }

        package static let streakCurrent = TrackName("streak.current")
        package static let streakLongest = TrackName("streak.longest")
        /// The number of days from the previous active day to the event's local day; null if there is no such active
        /// day.
        package static let daysSinceActive = TrackName("streak.days_since_active", mayBeNull: true)
        package static let level = TrackName("level")
        package static let wordsKnown = TrackName("words.known")
        package static let wordsLearned = TrackName("words.learned")
        package static let wordsMastered = TrackName("words.mastered")

        /// The balance of a currency.
        package static func balance(of currency: String) -> TrackName { TrackName(balancePrefix + currency) }

        package static let balancePrefix = "balance."

        /// The number of completions of a goal.
        package static func goal(_ id: String) -> TrackName { TrackName(goalPrefix + id) }

        package static let goalPrefix = "goals."

        package static func == (one: TrackName, other: TrackName) -> Bool { one.text == other.text }

        /// The names that have a slot under all rules, in the order of their slots.
        package static let always: [TrackName] = [
            .streakCurrent, .streakLongest, .level, .wordsKnown, .wordsLearned, .wordsMastered,
        ]
    }

    /// The numbers of the event that are not fields of `data`. The raw value is the slot.
    package enum EventName: Int, Sendable, CaseIterable {
        case earned, n
        case localHour, localMinute, localWeekday
        case wordIsNew, wordMastery, wordMasteryBefore, wordReviews, wordIntervalDays, wordLearnedNow
        case localDay
    }

    /// The texts of the event that are not fields of `data`. The raw value is the slot.
    package enum TextName: Int, Sendable, CaseIterable {
        case type, session, language
        case wordText, wordTranslation, wordPartOfSpeech, wordCategory, wordOrigin
        case localDate
        case seasonName
    }

    /// A field of `data` that expressions read, with its slot.
    package struct FieldSlot: Sendable, Equatable {
        package let name: String
        /// The type: number, text or boolean. Instants and dates have the type text here.
        package let type: ValueType
        /// The slot among the texts if the type is text, else among the event's numbers.
        package let slot: Int
    }

    /// A field slot, as used by events of one type.
    package struct FieldUse: Sendable, Equatable {
        package let field: FieldSlot
        /// The number that expressions read if the event lacks the field; nil for null. A boolean is 0 or 1.
        package let defaultNumber: Double?
    }

    package let metricCount: Int
    /// The windows, in the order of their slots.
    package let windows: [Window]
    /// The track's numbers outside the windows, in the order of their slots: ``TrackName/always``, then the other names
    /// that an expression reads, in the order of their first use.
    package let trackNames: [TrackName]
    /// The field slots, in the order of their first use. If a name is read with several types, each type has its own
    /// slot.
    package let fields: [FieldSlot]
    /// The fields of `learner.updated` that expressions read as `learner.FIELD`, in the order of their first use.
    package let learnerFields: [FieldSlot]
    /// The experiments that expressions read as `experiment.NAME`, in the order of their first use.
    package let experiments: [FieldSlot]
    /// The names of leagues that expressions read, in the order of their first use. Each field is written without
    /// `league.`, for example `weekly.tier`.
    package let leagueNames: [FieldSlot]
    private let usesByType: [String: [FieldUse]]

    init(
        metricCount: Int,
        windows: [Window] = Window.always,
        trackNames: [TrackName] = TrackName.always,
        fields: [FieldSlot] = [],
        learnerFields: [FieldSlot] = [],
        experiments: [FieldSlot] = [],
        leagueNames: [FieldSlot] = [],
        usesByType: [String: [FieldUse]] = [:]
    ) {
        self.metricCount = metricCount
        self.windows = windows
        self.trackNames = trackNames
        self.fields = fields
        self.learnerFields = learnerFields
        self.experiments = experiments
        self.leagueNames = leagueNames
        self.usesByType = usesByType
    }

    /// The number of slots per window: one per metric, and one for XP.
    package var windowWidth: Int { metricCount + 1 }
    /// The number of slots in all windows.
    package var windowSlotCount: Int { windowWidth * windows.count }
    /// The number of elements of `Frame.track`.
    package var trackNumberCount: Int { windowSlotCount + trackNames.count }
    /// The number of elements of `Frame.event`.
    package var eventNumberCount: Int {
        EventName.allCases.count + (fields + learnerFields + leagueNames).count { $0.type != .text }
    }
    /// The number of elements of `Frame.texts`.
    package var textCount: Int {
        TextName.allCases.count + (fields + learnerFields + experiments + leagueNames).count { $0.type == .text }
    }

    /// The first slot of a window among the track's numbers.
    package func start(of window: Window) -> Int { window.rawValue * windowWidth }

    package func slot(ofMetric index: Int, in window: Window) -> Int { start(of: window) + index }

    package func slotOfXP(in window: Window) -> Int { start(of: window) + metricCount }

    /// The slot of a name; nil if no expression reads the name.
    package func slot(of name: TrackName) -> Int? {
        trackNames.firstIndex(of: name).map { windowSlotCount + $0 }
    }

    /// The field slots that events of a type fill. All other field slots are null. The result is empty for types that
    /// are neither in the catalogue nor declared.
    /// - Complexity: O(1).
    package func fields(for eventType: String) -> [FieldUse] {
        usesByType[eventType] ?? []
    }
}

extension FrameLayout.EventName {
    /// The name in expressions, and its type.
    var name: (text: String, type: ValueType) {
        switch self {
        case .earned: ("earned", .number)
        case .n: ("n", .number)
        case .localHour: ("local.hour", .number)
        case .localMinute: ("local.minute", .number)
        case .localWeekday: ("local.weekday", .number)
        case .localDay: ("local.day", .number)
        case .wordIsNew: ("word.is_new", .boolean)
        case .wordMastery: ("word.mastery", .number)
        case .wordMasteryBefore: ("word.mastery_before", .number)
        case .wordReviews: ("word.reviews", .number)
        case .wordIntervalDays: ("word.interval_days", .number)
        case .wordLearnedNow: ("word.learned_now", .boolean)
        }
    }
}

extension FrameLayout.TextName {
    var name: String {
        switch self {
        case .type: "event.type"
        case .session: "event.session"
        case .language: "event.language"
        case .wordText: "word.text"
        case .wordTranslation: "word.translation"
        case .wordPartOfSpeech: "word.part_of_speech"
        case .wordCategory: "word.category"
        case .wordOrigin: "word.origin"
        case .localDate: "local.date"
        case .seasonName: "season.name"
        }
    }
}

extension FieldType {
    /// The type in expressions of a field with this type; nil if expressions cannot read the field.
    var valueType: ValueType? {
        switch self {
        case .number: .number
        case .boolean: .boolean
        case .text, .instant, .date: .text
        case .textList, .numberList: nil
        }
    }
}
