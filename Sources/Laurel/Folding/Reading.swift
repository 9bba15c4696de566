// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
package import LaurelProgress
package import LaurelResults
import LaurelRules
package import LaurelStore

/// Answers queries about learners, each by folding the learner's events up to the requested instant.
extension ProgressEngine {
    /// The progress in one track as of an instant; nil for an unknown learner, or a language without a track.
    /// - Complexity: O(events since the learner's snapshot); O(history up to `instant`) if the instant is before the
    ///   snapshot.
    package func progress(of subject: String, language: String?, at instant: Timestamp) throws -> Progress? {
        try withNamedState(of: subject, at: instant) { subject, state, plan in
            ProgressReader(plan: plan).progress(state, subject: subject, language: language, at: instant)
        } ?? nil
    }

    /// The progress in every track, the overall track first.
    package func allProgress(
        of subject: String,
        at instant: Timestamp
    ) throws -> [(language: String?, progress: Progress)]? {
        try withNamedState(of: subject, at: instant) { subject, state, plan in
            let reader = ProgressReader(plan: plan)
            let tracks = [nil] + reader.languages(state).map(Optional.some)
            return tracks.compactMap { language in
                reader.progress(state, subject: subject, language: language, at: instant).map { (language, $0) }
            }
        }
    }

    /// The known words. Due words come first, the longest overdue first. The other words are sorted by next review,
    /// then by word.
    /// - Parameter language: nil for words of all languages.
    /// - Complexity: O(history up to `instant`). Only events about words are folded. A snapshot cannot be used, because
    ///   it does not contain texts.
    package func words(of subject: String, language: String?, at instant: Timestamp) throws -> WordList? {
        try store.read { reader in
            guard let learner = try reader.learner(named: Array(subject.utf8)) else { return nil }
            let plan = try self.plan(for: reader)
            let folder = LearnerFolder(plan: plan)
            let collector = WordCollector()
            folder.fold.observer = collector
            try folder.refoldWords(learner, from: reader, fields: WordCollector.fields, until: instant.milliseconds)
            return collector.list(folder.state, language: language, at: instant.milliseconds)
        }
    }

    /// The learner's rows in SQL tables as of an instant, with the days and achievements of every track.
    package func projection(of subject: String, at instant: Timestamp) throws -> LearnerProjection? {
        try withState(of: subject, at: instant) { state, plan in ProgressReader(plan: plan).projection(state) }
    }

    /// The sessions with their statistics and dialog lines, the newest first.
    package func sessions(of subject: String, at instant: Timestamp) throws -> [SessionReport]? {
        try fold(subject, until: instant) { SessionCollector(plan: $0) }?.observer.records()
    }

    /// Visits every learner's main numbers, in byte order of the ids.
    /// - Parameter instant: nil for each learner's latest event.
    /// - Complexity: O(learners). O(events) on all cores if there is an instant, or under other rules than the store's.
    package func forEachOverview(at instant: Timestamp? = nil, _ body: (OverviewRecord) throws -> Void) throws {
        try store.readTogether { state in
            let isRead = try state.read { reader in
                guard instant == nil, try holdsProgress(reader) else { return false }
                try reader.forEachOverview(body)
                return true
            }
            guard !isRead else { return }
            let plan = try state.read { try self.plan(for: $0) }
            try ReplayRun(state: state, plan: plan, wants: .overview(at: instant)).overviews().forEach(body)
        }
    }

    /// Some learners' main numbers, in byte order of the ids.
    /// - Complexity: O(selected learners). With an instant, or under other rules than the store's, O(events of these
    ///   learners).
    func overviews(_ selection: OverviewSelection, at instant: Timestamp?) throws -> [OverviewRecord] {
        var (found, isHeld) = ([OverviewRecord](), false)
        try store.read { reader in
            isHeld = try holdsProgress(reader)
            try reader.forEachOverview(language: nil, of: selection) { found.append($0) }
        }
        if instant == nil, isHeld { return found }
        return try found.compactMap { record in
            try withState(
                of: String(decoding: record.learner.subject, as: UTF8.self),
                at: instant ?? Timestamp(milliseconds: .max)
            ) { OverviewRecord(record.learner, $0, $1, at: instant) }
        }
    }

    package func statistics() throws -> StoreStatistics { try store.read { try $0.statistics() } }
}

extension OverviewRecord {
    /// - Parameter instant: nil for the learner's latest practice.
    init(_ learner: LearnerRecord, _ state: LearnerState, _ plan: FoldPlan, at instant: Timestamp?) {
        self.init(learner: learner)
        let subject = String(decoding: learner.subject, as: UTF8.self)
        let at = instant ?? state.lastPractice ?? state.lastEvent ?? Timestamp(milliseconds: 0)
        let progress = ProgressReader(plan: plan).progress(state, subject: subject, at: at)
        displayName = progress?.displayName
        cohort = state.cohort
        if let progress { numbers = progress.numbers }
    }
}
