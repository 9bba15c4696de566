// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// Functions for commands that use a store.
extension Arguments {
    var store: String { text(.store) ?? Arguments.defaultStore }

    /// The store's path or address for messages. The password of an address is left out.
    var shownStore: String { StoreLocation(store).description }

    /// The store that is used without `--store`.
    static var defaultStore: String { System.environment("LAUREL_STORE") ?? "laurel.db" }

    /// The instant as of which results are read.
    func at() throws(UsageError) -> Timestamp {
        try instant(.at) ?? Timestamp(milliseconds: System.now())
    }

    /// The first day of the week that `--week` names; by default, of the week of an instant.
    func week(_ engine: ProgressEngine, _ at: Timestamp) throws -> LocalDay {
        do throws(EngineError) {
            return try engine.week(named: text(.week) ?? "this", at: at.date, timeZone: at.timeZone)
        } catch {
            throw wrong(.week, "\(error)")
        }
    }

    func openForReading() throws -> ProgressEngine { try withWarnings(open(for: .reading)) }

    /// Warns if the store's progress was computed with other time zone data.
    /// - Returns: the same engine.
    private func withWarnings(_ engine: ProgressEngine) throws -> ProgressEngine {
        if let remark = try engine.timeZoneRemark() { Console().message(remark) }
        return engine
    }

    /// - Parameter clock: the present time. Rules that the store does not have yet are applied at this time.
    func openForWriting(clock: Date) throws -> ProgressEngine {
        var settings = StoreSettings()
        settings.fileMode = try mode()
        settings.quarantineLimit = try size(.quarantineLimit)
        settings.rulesAppliedAt = clock
        return try withWarnings(open(for: .writing, settings: settings))
    }

    /// Opens the store for a command that needs neither rules nor numbers.
    func openForInspection() throws -> ProgressEngine {
        try ProgressEngine.open(path: store, for: .inspection)
    }

    /// Opens the store for a command that removes data.
    func openForRemoval() throws -> ProgressEngine { try ProgressEngine.open(path: store, for: .removal) }

    /// Opens the store for a command that changes an existing store.
    func openForRewriting() throws -> ProgressEngine { try open(for: .rewriting) }

    /// Opens the store for a command that waits until other writers have finished, without a time limit.
    func openForApplying() throws -> ProgressEngine {
        var settings = StoreSettings()
        settings.patience = .seconds(3600)
        return try ProgressEngine.open(path: store, settings: settings)
    }

    private func open(for use: StoreUse, settings: StoreSettings = StoreSettings()) throws -> ProgressEngine {
        let rules = try text(.rules).map { try Rules(path: $0) }
        return try ProgressEngine.open(path: store, for: use, rules: rules, settings: settings)
    }

    /// The stream for the command's result.
    /// - Parameter isPersonal: true if the result contains learners' data. Other users cannot read a new file then.
    func output(_ console: Console, isPersonal: Bool = true) throws -> OutputStream {
        guard let file = text(.out) else { return console.output }
        if !StoreLocation(store).isDatabase, System.areSame(file, store) {
            throw wrong(.out, "is the store itself; name another file")
        }
        return OutputStream(file: file, mode: isPersonal ? try mode() : nil)
    }

    /// The permissions of a new store, or of a file with a store's data.
    /// - Parameter source: the file that is copied. Its permissions are used if the user gives none.
    func mode(ofCopyOf source: String? = nil) throws -> UInt32 {
        guard let text = text(.mode) else { return source.flatMap(System.permissions(of:)) ?? 0o600 }
        guard 3...4 ~= text.utf8.count, let mode = UInt32(text, radix: 8), 0...0o777 ~= mode else {
            throw wrong(.mode, "is no permissions; three digits from 0 to 7, such as 640")
        }
        return mode
    }
}

extension Timestamp {
    /// The time zone with the offset of the written time; nil if the time has no offset.
    var timeZone: TimeZone? {
        guard case .minutes(let minutes) = offset else { return nil }
        return TimeZone(secondsFromGMT: Int(minutes) * 60)
    }
}

extension ProgressEngine {
    /// The maximum number of learners among which a similar id is searched. More learners would take too long.
    private static let mostCandidates = 200_000

    /// - Parameters:
    ///   - instant: the instant of the results. Its offset, if it has one, decides the local day.
    ///   - locale: the reader's locale, for names; nil for English.
    func learner(_ id: String, at instant: Timestamp, locale: String? = nil) -> Learner {
        learner(id, timeZone: instant.timeZone, locale: locale)
    }

    /// A learner with events, or an error that suggests the nearest id.
    func existingLearner(_ id: String, at instant: Timestamp, locale: String? = nil) throws -> Learner {
        let learner = learner(id, at: instant, locale: locale)
        guard try learner.isKnown() else { throw try unknownLearner(id) }
        return learner
    }

    /// A learner with events in a track as of an instant, or an error that lists the learner's tracks.
    func existingLearner(
        _ id: String,
        in language: String?,
        at instant: Timestamp,
        locale: String? = nil
    ) throws -> Learner {
        _ = try existingProgress(of: id, language: language, at: instant)
        return learner(id, at: instant, locale: locale)
    }

    /// The error for an id that no learner has.
    func unknownLearner(_ id: String) throws -> CommandFailure {
        let candidates = try size().learners <= ProgressEngine.mostCandidates ? try learnerIDs() : []
        let nearest = candidates.nearest(to: id)
        return .wrongRequest(
            "there is no learner “\(Visible.text(id))” in the store\(didYouMean(nearest.map(Visible.text)))",
            hint: "`laurel learners` lists them"
        )
    }

    /// The progress in a track, or an error that lists the learner's tracks.
    func existingProgress(
        of id: String,
        language: String?,
        at instant: Timestamp,
        locale: String? = nil
    ) throws -> LearnerProgress {
        let learner = learner(id, at: instant, locale: locale)
        if let progress = try learner.progress(language: language, at: instant.date) { return progress }
        guard try learner.isKnown() else { throw try unknownLearner(id) }
        let languages = try learner.languages(at: instant.date).map(Visible.text)
        let known = languages.isEmpty ? "none" : languages.joined(separator: ", ")
        throw CommandFailure.wrongRequest(
            "\(Visible.text(id)) has no events in “\(Visible.text(language ?? ""))” as of \(instant);"
                + " languages: \(known)"
        )
    }
}

extension CommandFailure {
    static func unknownSession(_ id: String, of learner: String, at instant: Timestamp) -> CommandFailure {
        .wrongRequest(
            "\(Visible.text(learner)) has no session “\(Visible.text(id))” as of \(instant)",
            hint: "`laurel sessions \(Visible.text(learner))` lists them"
        )
    }
}
