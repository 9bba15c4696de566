// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelProgress
public import LaurelResults
import LaurelStore
import LaurelWire

/// Queries about one learner.
///
/// Every answer is as of an instant, by default now, and is folded from the learner's events up to that instant. A
/// learner without events has no progress and empty lists. If `language` is nil, the answer is for all languages
/// together.
///
/// The methods block the calling thread for some milliseconds. From a task, call them in `engine.read { … }`; see
/// ``ProgressEngine/read(_:)``. All methods throw ``EngineError``.
/// - Complexity: O(events of the learner). `progress(language:at:)` reads only the events since the learner's snapshot.
public struct Learner: Sendable {
    /// The learner's id, the `subject` of events.
    public let id: String
    /// The time zone that decides which day is today; nil for the clock of the learner's events.
    public let timeZone: Foundation.TimeZone?
    /// The reader's locale, such as `de_AT`, for names and descriptions of achievements. Without texts for the
    /// locale, English texts are used. Without English texts, texts in the rules' own language are used.
    public let locale: String?
    let engine: ProgressEngine

    /// True if the store has any events of the learner.
    public func isKnown() throws(EngineError) -> Bool {
        try EngineError.translating { try engine.store.read { try $0.learner(named: Array(id.utf8)) } != nil }
    }

    /// Streak, XP, level, words and achievements; nil without events (in that language).
    public func progress(language: String? = nil, at date: Date? = nil) throws(EngineError) -> LearnerProgress? {
        try EngineError.translating {
            try engine.progress(of: id, language: language?.canonicalLanguageTag, at: instant(date)).map {
                LearnerProgress($0, locale: locale)
            }
        }
    }

    /// Progress in all languages together, and progress in each language; nil for an unknown learner.
    public func tracks(at date: Date? = nil) throws(EngineError) -> LearnerTracks? {
        try EngineError.translating {
            guard let tracks = try engine.allProgress(of: id, at: instant(date)), let overall = tracks.first else {
                return nil
            }
            return LearnerTracks(
                overall: LearnerProgress(overall.progress, locale: locale),
                languages: tracks.dropFirst().map { LearnerProgress($0.progress, locale: locale) }
            )
        }
    }

    /// The languages with events, in byte order.
    public func languages(at date: Date? = nil) throws(EngineError) -> [String] {
        try EngineError.translating {
            try engine.allProgress(of: id, at: instant(date))?.compactMap(\.language) ?? []
        }
    }

    /// Achievements with progress, in the order of the rules. Achievements over all languages come first. Hidden
    /// achievements are listed once unlocked.
    public func achievements(language: String? = nil, at date: Date? = nil) throws(EngineError) -> [Achievement] {
        try EngineError.translating {
            let (language, instant) = (language?.canonicalLanguageTag, instant(date))
            return try engine.withState(of: id, at: instant) { state, plan in
                let reader = ProgressReader(plan: plan)
                let tracks = language.map { [$0] } ?? [nil] + reader.languages(state)
                return tracks.flatMap { track in
                    reader.progress(state, subject: id, language: track, at: instant).map {
                        reader.achievements($0, state, at: instant, locale: locale)
                    } ?? []
                }
            } ?? []
        }
    }

    /// The time that the learner practised, in total and per day.
    /// - Parameters:
    ///   - language: nil for all languages together.
    ///   - limit: the maximum number of days; the latest days are returned. nil for all.
    ///   - date: the instant to answer as of; nil for now.
    public func studyTime(
        language: String? = nil,
        limit: Int? = nil,
        at date: Date? = nil
    ) throws(EngineError) -> StudyTime {
        try EngineError.translating {
            let tracks = try engine.projection(of: id, at: instant(date))?.tracks
            let language = language?.canonicalLanguageTag
            return StudyTime(tracks?.first { $0.language == language }, language: language, limit: limit)
        }
    }

    /// Sessions, newest first.
    /// - Parameters:
    ///   - language: nil for all languages together.
    ///   - limit: the maximum number of sessions; nil for all.
    ///   - date: the instant to answer as of; nil for now.
    public func sessions(
        language: String? = nil,
        limit: Int? = nil,
        at date: Date? = nil
    ) throws(EngineError) -> [Session] {
        let language = language?.canonicalLanguageTag
        return try sessionReports(date).lazy.filter { language == nil || $0.language == language }
            .prefix(max(limit ?? .max, 0)).map(\.session)
    }

    /// The latest session with an id, with all details; nil if there is no such session.
    public func session(_ session: String, at date: Date? = nil) throws(EngineError) -> SessionReport? {
        try sessionReports(date).first { $0.id.utf8.elementsEqual(session.utf8) }
    }

    private func sessionReports(_ date: Date?) throws(EngineError) -> [SessionReport] {
        try EngineError.translating { try engine.sessions(of: id, at: instant(date)) ?? [] }
    }

    /// The instant with the offset of the learner's clock.
    func instant(_ date: Date?) -> Timestamp { Timestamp(date ?? Date(), in: timeZone) }
}

extension Timestamp {
    /// Creates a timestamp with the offset of a time zone.
    /// - Parameter timeZone: the zone of the offset; nil for none.
    package init(_ date: Date, in timeZone: Foundation.TimeZone?) {
        self.init(
            milliseconds: date.milliseconds,
            offset: timeZone.map { .minutes(Int16($0.secondsFromGMT(for: date) / 60)) } ?? .zulu
        )
    }
}
