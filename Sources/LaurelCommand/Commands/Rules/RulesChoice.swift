// SPDX-License-Identifier: Apache-2.0

import Laurel

/// The rules that a command uses: a file, or a version that was applied to the store.
struct RulesChoice {
    static let operand = Operand("NEW", .atMostOne, "a rules file, YAML or JSON")
    static let version = CommandOption(
        "version",
        "N",
        "instead of a file, a version of `laurel rules history`",
        completes: .rulesVersions
    )

    static let from = CommandOption("from", "DATE", "the local day from which the rules apply; earlier days stay")

    /// The day of `--from`; nil if the rules apply from the beginning.
    static func day(_ arguments: Arguments) throws(UsageError) -> LocalDay? {
        guard let text = arguments.text(from) else { return nil }
        guard let day = LocalDay(parsing: text.utf8) else {
            throw arguments.wrong(from, "is not a date, such as 2026-12-24")
        }
        return day
    }

    let rules: Rules
    /// The name of the rules in sentences: a file's name, or a text such as `version 2`.
    let title: String

    func title(_ from: LocalDay?) -> String { title + (from.map { " from \($0)" } ?? "") }

    init(_ arguments: Arguments, _ engine: ProgressEngine) throws {
        let version = try arguments.text(Self.version).map { try RulesChoice.version($0, arguments) }
        switch (arguments.operands.first, version) {
        case (let file?, nil):
            rules = try Rules(path: file)
            title = file
        case (nil, let version?):
            rules = try Rules(try RulesChoice.record(version, engine))
            title = "version \(version)"
        case (nil, nil):
            throw UsageError(
                "\(arguments.command): which rules? Name a file, or a version with --version",
                command: arguments.command
            )
        case (.some, .some):
            throw UsageError(
                "\(arguments.command): a file and --version are two rule sets; give one",
                command: arguments.command
            )
        }
    }

    static func version(_ text: String, _ arguments: Arguments) throws(UsageError) -> Int {
        guard let version = Int(text), version > 0 else {
            throw UsageError(
                "\(arguments.command): “\(Visible.text(text))” is no version; versions are whole numbers from 1",
                command: arguments.command
            )
        }
        return version
    }

    /// - Parameter version: the number of the version; nil for the version in force on the latest days.
    static func record(_ version: Int?, _ engine: ProgressEngine) throws -> AppliedRulesSource {
        guard let latest = try engine.rulesInForce().last else {
            throw CommandFailure.wrongRequest(
                "no rules were applied to this store yet; it takes those of \(DefaultRules.fileName) with the first ingest"
            )
        }
        guard let version else { return latest }
        if let record = try engine.appliedRules(version: version) { return record }
        let last = try engine.rulesHistory().last?.version ?? latest.version
        let known = last == 1 ? "there is only version 1" : "there are 1 to \(last)"
        throw CommandFailure.wrongRequest(
            "rules version \(version) was never applied; \(known)",
            hint: "`laurel rules history` lists them"
        )
    }
}
