// SPDX-License-Identifier: Apache-2.0

/// The words before the word that is being typed. Words that cannot be parsed are left out.
struct TypedLine {
    private let commands: [Command]
    /// All words that are not options, including those that name the command.
    private(set) var operands: [String] = []
    /// The names of the options in the line.
    private(set) var given: Set<String> = []
    /// The option whose value is being typed; nil if no value is expected.
    private(set) var awaiting: CommandOption?
    private(set) var isPastOptions = false
    private var values: [String: String] = [:]

    init(_ words: [String], _ commands: [Command]) {
        self.commands = commands
        for word in words {
            if let option = awaiting {
                (values[option.name], awaiting) = (word, nil)
            } else if isPastOptions || !word.hasPrefix("--") {
                operands.append(word)
            } else if word == "--" {
                isPastOptions = true
            } else {
                take(word)
            }
        }
        if operands.first == "help" { operands.removeFirst() }
    }

    private mutating func take(_ word: String) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        given.insert(name)
        guard let option = option(named: name) else { return }
        if parts.count == 2 {
            values[name] = String(parts[1])
        } else if option.value != nil {
            awaiting = option
        }
    }

    /// The option with a name in the line's command. If the line has no command yet, the options of all commands are
    /// searched.
    func option(named name: String) -> CommandOption? {
        let name = CommandOption.spellings[name] ?? name
        let known = (command?.options ?? commands.flatMap(\.options)) + .everywhere
        return known.first { $0.name == name }
    }

    /// The command in the line; nil if the operands name no command.
    var command: Command? { found?.command }

    /// The operands after the command's name.
    var arguments: [String] { Array(operands.dropFirst(found?.words ?? 0)) }

    private var found: (command: Command, words: Int)? {
        guard let first = operands.first else { return nil }
        let members = commands.filter { $0.group == first }
        if operands.count > 1, let command = members.first(where: { $0.action == operands[1] }) { return (command, 2) }
        return (commands.first { $0.name == first } ?? members.first(where: \.isGroupDefault)).map { ($0, 1) }
    }

    var store: String { values[CommandOption.store.name] ?? Arguments.defaultStore }
}
