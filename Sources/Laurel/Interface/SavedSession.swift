public import Foundation
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

    init(_ record: SessionRecord) {
        scenarioName = record.scenarioId
        playedAt = Date(milliseconds: record.startedAt)
        durationMinutes = record.durationMs.map { Int($0 / 60_000) }
        language = record.language
        partner = record.partner
        stats = SessionStats(record)
        dialogLines = record.lines.map(DialogLine.init)
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
