// SPDX-License-Identifier: Apache-2.0

/// An option of a command, for the parser and for help.
struct CommandOption: Sendable, Hashable {
    /// The name, without the dashes.
    let name: String
    /// The placeholder of the value in help; nil for a switch, which has no value.
    let value: String?
    /// The effect, in one line.
    let summary: String
    /// The values that a shell may suggest.
    let completion: Completion

    init(_ name: String, _ value: String? = nil, _ summary: String, completes: Completion? = nil) {
        self.name = name
        self.value = value
        self.summary = summary
        completion = completes ?? Completion(placeholder: value)
    }

    /// Alternative spellings of option names. Every command accepts them.
    static let spellings = ["favorite": "favourite"]

    var flag: String { "--\(name)" }
    /// The option as help shows it: `--limit N`.
    var usage: String { value.map { "\(flag) \($0)" } ?? flag }
}

/// Options that have the same meaning in all commands.
extension CommandOption {
    static let store = CommandOption(
        "store",
        "STORE",
        "the store: a file, or postgresql://… (default: $LAUREL_STORE, else laurel.db)"
    )
    static let rules = CommandOption("rules", "FILE", "the rules to use (default: the store's own)", completes: .yaml)
    static let newRules = CommandOption(
        "rules",
        "FILE",
        "the rules of a new store; a store with other rules refuses them, see `laurel rules apply`",
        completes: .yaml
    )
    static let at = CommandOption("at", "TIME", "the instant to read as of, RFC 3339 (default: now)")
    static let json = CommandOption("json", nil, "print JSON instead of a table")

    static let language = CommandOption("language", "L", "only this language, such as es", completes: .languages)
    static let week = CommandOption("week", "W", "the week (default: that of --at)")
    static let limit = CommandOption("limit", "N", "the maximum number of rows to show")
    static let out = CommandOption("out", "FILE", "write to this file instead of standard output")
    static let mode = CommandOption("mode", "MODE", "a new file's permissions, such as 640 (default: 600)")
    static let quarantineLimit = CommandOption(
        "quarantine-limit",
        "SIZE",
        "the maximum size of quarantine in bytes, such as 500M (default: 1G, or a tenth of the free disk)"
    )
    static let erase = CommandOption(
        "erase",
        nil,
        "remove learners and refused lines that the source no longer has"
    )
    static let all = CommandOption("all", nil, "all of them")
    static let yes = CommandOption("yes", nil, "do not ask")

    /// The option `--help`. Every command accepts it, so no command lists it.
    static let help = CommandOption("help", nil, "show this help")
    static let version = CommandOption("version", nil, "show the version")
}

extension [CommandOption] {
    /// The options that every command accepts, so that a script can always pass them. Help lists them only for commands
    /// in which they have an effect.
    static let everywhere: [CommandOption] = [.store, .rules, .at, .json]
    /// The options of commands that read a store's results as of an instant.
    static let reading: [CommandOption] = [.store, .rules, .at, .json]
}
