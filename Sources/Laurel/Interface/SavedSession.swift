public import Foundation
import LaurelEvents
import LaurelProgress

/// A practice session with its statistics and its dialog.
public struct SavedSession: Sendable, Hashable, Identifiable {
    public var id: String { stats.sessionId }
    /// Its scenario, where an event told.
    public let scenarioName: String?
    public let playedAt: Date
    /// Whole minutes; nil while it has not ended.
    public let durationMinutes: Int?
    public let language: String?
    public let partner: String?
    public let stats: SessionStats
    /// In the order in which they were spoken.
    public let dialogLines: [DialogLine]
    /// Words that became known, in that order.
    public let newWords: [NewWord]
    /// What was told of mistakes outside lines, in that order.
    public let mistakes: [Mistake]

    init(_ record: SessionRecord) {
        scenarioName = record.scenarioId
        playedAt = Date(milliseconds: record.startedAt)
        durationMinutes = record.durationMs.map { Int($0 / 60_000) }
        language = record.language
        partner = record.partner
        stats = SessionStats(record)
        dialogLines = record.lines.map(DialogLine.init)
        newWords = record.newWords.map(NewWord.init)
        mistakes = record.mistakes.map(Mistake.init)
    }

    /// A word that became known in a session.
    public struct NewWord: Sendable, Hashable, Identifiable {
        /// Your id of the entry.
        public let id: String
        public let text: String?
        public let translation: String?

        init(_ record: SessionRecord.NewWord) {
            (id, text, translation) = (record.word, record.text, record.translation)
        }
    }

    /// A mistake that was told on its own, or was put right.
    public struct Mistake: Sendable, Hashable {
        public let timestamp: Date
        /// As the app calls it.
        public let kind: String?
        public let original: String?
        public let corrected: String?
        /// Your id of the line.
        public let lineId: String?
        /// Whether it says that a mistake was put right, rather than made.
        public let isCorrection: Bool

        init(_ record: SessionRecord.Mistake) {
            timestamp = Date(milliseconds: record.time)
            (kind, original, corrected) = (record.kind, record.original, record.corrected)
            (lineId, isCorrection) = (record.line, record.isCorrection)
        }
    }
}

/// One who took part in a session.
public struct SessionStanding: Sendable, Hashable, Identifiable {
    public var id: String { userId }
    /// From 1 by the XP of the session; equal XP shares a rank: 1, 2, 2, 4.
    public let rank: Int
    public let userId: String
    public let displayName: String?
    /// The learner's own part of it.
    public let session: SavedSession

    init(_ row: SessionRanking.Row) {
        (rank, userId, displayName) = (row.rank, row.subject, row.displayName)
        session = SavedSession(row.session)
    }
}

extension ProgressEngine {
    /// Everyone who took part in a session, by the XP that it brought each of them.
    /// - Complexity: O(events) of the store, on all cores.
    public func standings(ofSession id: String, at date: Date = Date()) throws(EngineError) -> [SessionStanding] {
        try EngineError.translating {
            let instant = Timestamp(milliseconds: ProgressEngine.milliseconds(date))
            return try ranking(ofSession: id, at: instant)?.rows.map(SessionStanding.init) ?? []
        }
    }
}

/// How a session went.
public struct SessionStats: Sendable, Hashable {
    public let sessionId: String
    public let startedAt: Date
    /// nil while it has not ended.
    public let endedAt: Date?
    /// `solo`, `host` or `client`, where an event told.
    public let mode: String?
    public let scenarioId: String?
    public let linesSpoken: Int
    /// How often words were met.
    public let wordsEncountered: Int
    /// Words that became known.
    public let newVocabulary: Int
    public let errorsDetected: Int
    public let errorsCorrected: Int
    public let linesSkipped: Int
    /// Mean of the lines that have one, 0 … 1; nil where none has.
    public let accuracy: Double?
    public let reviews: Int
    public let hintsUsed: Int
    public let repairsMade: Int
    public let helpGiven: Int
    public let xpEarned: Double
    /// Bucket → XP, where not 0; buckets are the rules'.
    public let xpBreakdown: [String: Double]

    init(_ record: SessionRecord) {
        sessionId = record.sessionId
        startedAt = Date(milliseconds: record.startedAt)
        endedAt = record.endedAt.map(Date.init(milliseconds:))
        mode = record.mode
        scenarioId = record.scenarioId
        linesSpoken = record.linesSpoken
        wordsEncountered = record.wordsEncountered
        newVocabulary = record.newVocabulary
        errorsDetected = record.errorsDetected
        errorsCorrected = record.errorsCorrected
        linesSkipped = record.linesSkipped
        accuracy = record.accuracy
        reviews = record.reviews
        hintsUsed = record.hintsUsed
        repairsMade = record.repairsMade
        helpGiven = record.helpGiven
        xpEarned = record.xpEarned
        xpBreakdown = Dictionary(record.xpBreakdown.map { ($0.name, $0.value) }, uniquingKeysWith: +)
    }
}

/// A line of a dialog.
public struct DialogLine: Sendable, Hashable {
    /// Your id of the line, where an event told.
    public let id: String?
    public let roleName: String?
    /// In the target language.
    public let textNative: String?
    public let textTranslated: String?
    public let timestamp: Date
    /// 0 … 1.
    public let accuracy: Double?
    public let errorCount: Int?
    public let skipped: Bool

    init(_ record: SessionRecord.DialogLine) {
        id = record.line
        roleName = record.role
        textNative = record.text
        textTranslated = record.translation
        timestamp = Date(milliseconds: record.time)
        accuracy = record.accuracy
        errorCount = record.errors
        skipped = record.skipped
    }
}
