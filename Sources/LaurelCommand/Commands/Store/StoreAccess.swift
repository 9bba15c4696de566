// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// What commands that use a store have in common.
extension Arguments {
    var store: String { text(.store) ?? Arguments.usualStore }

    /// The same where it is shown: an address is without its password.
    var shownStore: String { StoreLocation(store).description }

    /// The store where none is named.
    static var usualStore: String { System.environment("LAUREL_STORE") ?? "laurel.db" }

    /// The instant to read as of.
    func at() throws(UsageError) -> Timestamp {
        try instant(.at) ?? Timestamp(milliseconds: System.now())
    }

    func openForReading() throws -> ProgressEngine { try telling(open(for: .reading)) }

    /// Says what whoever reads or adds to progress should know of the store.
    private func telling(_ engine: ProgressEngine) throws -> ProgressEngine {
        if let remark = try engine.timeZoneRemark() { Console().message(remark) }
        return engine
    }

    /// - Parameter clock: when rules that are new to the store are applied.
    func openForWriting(clock: Date) throws -> ProgressEngine {
        var settings = StoreSettings()
        settings.fileMode = try mode()
        settings.quarantineLimit = try size(.quarantineLimit)
        settings.rulesAppliedAt = clock
        return try telling(open(for: .writing, settings: settings))
    }

    /// For a command that needs neither rules nor numbers.
    func openForInspection() throws -> ProgressEngine {
        try ProgressEngine.open(path: store, for: .inspection)
    }

    /// For one that removes something.
    func openForRemoval() throws -> ProgressEngine { try ProgressEngine.open(path: store, for: .removal) }

    /// For a command that changes a store which must be there.
    func openForRewriting() throws -> ProgressEngine { try open(for: .rewriting) }

    /// For a command that waits its turn among writers, however long theirs are.
    func openForApplying() throws -> ProgressEngine {
        var settings = StoreSettings()
        settings.patience = .seconds(3600)
        return try ProgressEngine.open(path: store, settings: settings)
    }

    private func open(for use: StoreUse, settings: StoreSettings = StoreSettings()) throws -> ProgressEngine {
        let rules = try text(.rules).map { try Rules(path: $0) }
        return try ProgressEngine.open(path: store, for: use, rules: rules, settings: settings)
    }

    /// Where the command writes its result.
    /// - Parameter isPersonal: whether that is about learners, so that a new file is not for everyone to read.
    func output(_ console: Console, isPersonal: Bool = true) throws -> OutputStream {
        guard let file = text(.out) else { return console.output }
        if !StoreLocation(store).isDatabase, System.areSame(file, store) {
            throw wrong(.out, "is the store itself; name another file")
        }
        return OutputStream(file: file, mode: isPersonal ? try mode() : nil)
    }

    /// The permissions of a new store, or of a file with what is in one.
    /// - Parameter source: the file that it is a copy of, whose permissions it gets if none are named.
    func mode(ofCopyOf source: String? = nil) throws -> UInt32 {
        guard let text = text(.mode) else { return source.flatMap(System.permissions(of:)) ?? 0o600 }
        guard 3...4 ~= text.utf8.count, let mode = UInt32(text, radix: 8), 0...0o777 ~= mode else {
            throw wrong(.mode, "is no permissions; three digits from 0 to 7, such as 640")
        }
        return mode
    }
}

extension Timestamp {
    /// The clock that is written in it; nil where none is.
    var timeZone: TimeZone? {
        guard case .minutes(let minutes) = offset else { return nil }
        return TimeZone(secondsFromGMT: Int(minutes) * 60)
    }
}

extension ProgressEngine {
    /// Above so many learners, looking for a similar name takes longer than it is worth.
    private static let mostCandidates = 200_000

    /// - Parameter instant: whose offset, where it has one, decides which day is today.
    /// - Parameter locale: the reader's, for names; nil for English.
    func learner(_ id: String, at instant: Timestamp, locale: String? = nil) -> Learner {
        learner(id, timeZone: instant.timeZone, locale: locale)
    }

    /// One who has events, or an error that names the nearest.
    func knownLearner(_ id: String, at instant: Timestamp, locale: String? = nil) throws -> Learner {
        let learner = learner(id, at: instant, locale: locale)
        guard try learner.isKnown() else { throw try unknownLearner(id) }
        return learner
    }

    /// One who has events in a track as of an instant, or an error that says which tracks there are.
    func knownLearner(
        _ id: String,
        in language: String?,
        at instant: Timestamp,
        locale: String? = nil
    ) throws -> Learner {
        _ = try knownProgress(of: id, language: language, at: instant)
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

    /// Progress in a track, or an error that says which there are.
    func knownProgress(
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
