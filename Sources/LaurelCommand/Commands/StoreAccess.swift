import Laurel
import LaurelEvents
import LaurelRules
import LaurelProgress
import LaurelStore

/// What commands that use a store have in common.
extension Arguments {
    var store: String { text(.store) ?? System.environment("LAUREL_STORE") ?? "laurel.db" }

    /// The instant to read as of.
    func at() throws(UsageError) -> Timestamp {
        try instant(.at) ?? Timestamp(milliseconds: System.now())
    }

    func openForReading() throws -> ProgressEngine {
        try telling(ProgressEngine.openForReading(location(), rules: chosenRules()))
    }

    /// Says what whoever reads or adds to progress should know of the store.
    private func telling(_ engine: ProgressEngine) throws -> ProgressEngine {
        if let remark = try engine.timeZoneRemark() { Console().message(remark) }
        return engine
    }

    /// - Parameter clock: When rules that are new to the store are applied, in milliseconds since 1970.
    func openForWriting(clock: Int64) throws -> ProgressEngine {
        var options = StoreOptions()
        options.newFileMode = try mode()
        options.quarantineLimit = try size(.quarantineLimit)
        let engine = try ProgressEngine.openForWriting(
            location(),
            rules: chosenRules(),
            clock: clock,
            options: options
        )
        return try telling(engine)
    }

    /// For a command that needs neither rules nor numbers.
    func openForMaintenance() throws -> ProgressEngine {
        try ProgressEngine.openForMaintenance(location(), mode: .readOnly)
    }

    /// For one that removes something, without which the store is left as it is, and without a lock beside it.
    func openForRemoval() throws -> ProgressEngine {
        let location = try location()
        _ = try SQLiteStore(path: location, mode: .readOnly)
        return try ProgressEngine.openForMaintenance(location, mode: .readWrite)
    }

    /// For a command that changes a store which must be there: what is none is left as it is, and without a lock beside it.
    func openForRewriting() throws -> ProgressEngine {
        let (location, rules) = (try location(), try chosenRules())
        _ = try SQLiteStore(path: location, mode: .readOnly)
        return try ProgressEngine.openForWriting(location, rules: rules, clock: System.now())
    }

    /// For a command that waits its turn among writers, however long theirs are.
    func openForApplying() throws -> ProgressEngine {
        var options = StoreOptions()
        options.lockTimeout = 3600
        return try ProgressEngine.openForWriting(location(), rules: nil, clock: System.now(), options: options)
    }

    /// Where the command writes its result.
    /// - Parameter isPersonal: whether that is about learners, so that a new file is not for everyone to read.
    func output(_ console: Console, isPersonal: Bool = true) throws -> OutputStream {
        guard let file = text(.out) else { return console.output }
        if System.areSame(file, store) { throw wrong(.out, "is the store itself; name another file") }
        return OutputStream(file: file, mode: isPersonal ? try mode() : nil)
    }

    /// The permissions of a new store, or of a file with what is in one.
    private func mode() throws -> UInt32 {
        guard let text = text(.mode) else { return 0o600 }
        guard 3...4 ~= text.utf8.count, let mode = UInt32(text, radix: 8), 0...0o777 ~= mode else {
            throw wrong(.mode, "is no permissions; three digits from 0 to 7, such as 640")
        }
        return mode
    }

    private func chosenRules() throws -> RuleSet? {
        try text(.rules).map { try ProgressEngine.loadRules(file: $0) }
    }

    private func location() throws -> String {
        let store = store
        guard !store.hasPrefix("postgres://"), !store.hasPrefix("postgresql://") else {
            throw CommandFailure.wrongRequest(
                "this version keeps stores in files only; name one, as in --store laurel.db"
            )
        }
        return store
    }
}

extension ProgressEngine {
    /// Above so many learners, looking for a similar name takes longer than it is worth.
    private static let mostCandidates = 200_000

    /// The error for an id that no learner has.
    func unknownLearner(_ subject: String) throws -> CommandFailure {
        var nearest: String?
        if try statistics().learners <= ProgressEngine.mostCandidates {
            var names: [String] = []
            try forEachLearner { names.append(String(decoding: $0.learner.subject, as: UTF8.self)) }
            nearest = names.nearest(to: subject)
        }
        return .wrongRequest(
            "there is no learner “\(Visible.text(subject))” in the store\(didYouMean(nearest.map(Visible.text)))",
            hint: "`laurel learners` lists them"
        )
    }

    /// Progress in a track, or an error that says which there are.
    func knownProgress(of subject: String, language: String?, at instant: Timestamp) throws -> Progress {
        if let progress = try progress(of: subject, language: language, at: instant) { return progress }
        guard let tracks = try allProgress(of: subject, at: instant) else { throw try unknownLearner(subject) }
        let languages = tracks.compactMap(\.language).map(Visible.text)
        let known = languages.isEmpty ? "none" : languages.joined(separator: ", ")
        throw CommandFailure.wrongRequest(
            "\(Visible.text(subject)) has no events in “\(Visible.text(language ?? ""))” as of \(instant);"
                + " languages: \(known)"
        )
    }
}

extension ProgressEngine {
    /// Throws an error where the learner has no such session.
    func requireSession(_ id: String, of subject: String, at instant: Timestamp) throws {
        let sessions = try sessions(of: subject, at: instant) ?? []
        guard sessions.contains(where: { $0.sessionId.utf8.elementsEqual(id.utf8) }) else {
            throw CommandFailure.unknownSession(id, of: subject, at: instant)
        }
    }
}

extension CommandFailure {
    static func unknownSession(_ id: String, of subject: String, at instant: Timestamp) -> CommandFailure {
        .wrongRequest(
            "\(Visible.text(subject)) has no session “\(Visible.text(id))” as of \(instant)",
            hint: "`laurel sessions \(Visible.text(subject))` lists them"
        )
    }
}
