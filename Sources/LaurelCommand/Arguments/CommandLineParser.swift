// SPDX-License-Identifier: Apache-2.0

import Laurel

/// The result of parsing a command line.
enum Invocation {
    case run(Command, Arguments)
    /// Help on a command or a group of commands; nil for help on the tool.
    case help(String?, asJSON: Bool)
    case version
}

/// Reads a command line by GNU's conventions. Options may stand anywhere, as `--option value` or `--option=value`.
/// After `--`, every word is an operand.
struct CommandLineParser {
    let commands: [Command]

    func parse(_ words: [String]) throws(UsageError) -> Invocation {
        var tokens = try tokenize(words)
        if tokens.operands.first == "help", commands.allSatisfy({ $0.name != "help" }) {
            tokens.operands.removeFirst()
            tokens.wantsHelp = true
        }
        guard let first = tokens.operands.first else {
            if tokens.wantsHelp { return .help(nil, asJSON: tokens.wantsJSON) }
            if tokens.given.contains(where: { $0.name == CommandOption.version.name }) { return .version }
            if let given = tokens.given.first(where: { arity[$0.name] == nil }) { throw unknown(given, for: nil) }
            throw UsageError("no command given")
        }
        let members = commands.filter { $0.group == first }
        let isCommand = commands.contains { $0.name == first }
        if tokens.wantsHelp, tokens.operands.count == 1, !members.isEmpty, !isCommand {
            return .help(first, asJSON: tokens.wantsJSON)
        }
        let (command, used) = try select(tokens.operands, members)
        if tokens.wantsHelp { return .help(command.name, asJSON: tokens.wantsJSON) }
        let operands = Array(tokens.operands.dropFirst(used))
        let values = try check(tokens.given, for: command)
        try check(operands, for: command)
        return .run(command, Arguments(command: command.name, operands: operands, values: values))
    }

    // MARK: Words

    private struct Given {
        let name: String
        let value: String?
    }

    private struct Tokens {
        var operands: [String] = []
        var given: [Given] = []
        var wantsHelp = false

        var wantsJSON: Bool { given.contains { $0.name == CommandOption.json.name } }
    }

    /// For each option's name, true if the option takes a value in any command. Used while the command is not known.
    /// An exception is `--version`: before a command, it is an option of the tool and takes no value.
    private var arity: [String: Bool] {
        var arity = [CommandOption.version.name: false]
        for option in commands.flatMap(\.options) where option.name != CommandOption.version.name {
            arity[option.name] = arity[option.name] ?? false || option.value != nil
        }
        return arity
    }

    private func tokenize(_ words: [String]) throws(UsageError) -> Tokens {
        let arity = arity
        var tokens = Tokens()
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                tokens.operands += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                tokens.operands.append(word)
                continue
            }
            if word == "--help" || word == "-h" {
                tokens.wantsHelp = true
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let written = parts[0].hasPrefix("--") ? String(parts[0].dropFirst(2)) : String(parts[0])
            let name = CommandOption.spellings[written] ?? written
            var value = parts.count > 1 ? String(parts[1]) : nil
            if value == nil, takesValue(name, after: tokens.operands, arity), let next = rest.first,
                !isOption(next, arity)
            {
                value = rest.removeFirst()
            }
            tokens.given.append(Given(name: name, value: value))
        }
        return tokens
    }

    /// True if an option takes a value. If the earlier operands begin with a command's name, that command's options
    /// decide.
    private func takesValue(_ name: String, after operands: [String], _ arity: [String: Bool]) -> Bool {
        let command = commands.first { operands.starts(with: $0.name.split(separator: " ").map(String.init)) }
        let own = command?.options.first { $0.name == name }
        return own.map { $0.value != nil } ?? (arity[name] == true)
    }

    /// True if the word after an option is itself an option, not the value of the first option.
    private func isOption(_ word: String, _ arity: [String: Bool]) -> Bool {
        word == "--" || (word.hasPrefix("--") && arity[String(word.dropFirst(2).prefix { $0 != "=" })] != nil)
    }

    // MARK: Commands

    /// The command that the first operands name, and the number of operands in its name.
    private func select(_ operands: [String], _ members: [Command]) throws(UsageError) -> (Command, Int) {
        let first = operands[0]
        // `report check` is a command, and `report NAME` is another one.
        if operands.count > 1, let command = members.first(where: { $0.action == operands[1] }) { return (command, 2) }
        if let command = commands.first(where: { $0.name == first }) { return (command, 1) }
        guard !members.isEmpty else {
            let names = commands.map { $0.group ?? $0.name }
            throw UsageError(
                "there is no command “\(Visible.text(first))”\(didYouMean(names.nearest(to: first)))"
            )
        }
        let actions = members.map(\.action)
        guard operands.count > 1 else {
            if let command = members.first(where: \.isGroupDefault) { return (command, 1) }
            throw UsageError("\(first): choose one of \(actions.joined(separator: ", "))", command: first)
        }
        guard let command = members.first(where: { $0.action == operands[1] }) else {
            let nearest = didYouMean(actions.nearest(to: operands[1]))
            throw UsageError(
                "\(first): unknown command “\(Visible.text(operands[1]))”; use \(actions.joined(separator: ", "))\(nearest)",
                command: first
            )
        }
        return (command, 2)
    }

    // MARK: Checks

    private func check(_ given: [Given], for command: Command) throws(UsageError) -> [String: String] {
        var values: [String: String] = [:]
        for given in given {
            guard let option = (command.options + .everywhere).first(where: { $0.name == given.name }) else {
                throw unknown(given, for: command)
            }
            if option.value != nil, given.value == nil {
                throw UsageError("\(option.usage): the value is missing", command: command.name)
            }
            if option.value == nil, given.value != nil {
                throw UsageError("\(option.flag) takes no value", command: command.name)
            }
            guard values.updateValue(given.value ?? "", forKey: option.name) == nil else {
                throw UsageError("\(option.flag) is given twice", command: command.name)
            }
        }
        return values
    }

    private func unknown(_ given: Given, for command: Command?) -> UsageError {
        let isLong = !given.name.hasPrefix("-")
        let known = command?.options.map(\.name) ?? [CommandOption.help.name, CommandOption.version.name]
        let nearest = known.nearest(to: String(given.name.drop { $0 == "-" })).map { "--" + $0 }
        let owner = command.map { "\($0.name) has" } ?? "there is"
        let name = (isLong ? "--" : "") + Visible.text(given.name)
        return UsageError("\(owner) no option \(name)\(didYouMean(nearest))", command: command?.name)
    }

    private func check(_ operands: [String], for command: Command) throws(UsageError) {
        let bounds = command.operand?.bounds ?? 0...0
        if operands.count > bounds.upperBound {
            let extra = Visible.text(operands[bounds.upperBound])
            throw UsageError("\(command.name): unexpected argument “\(extra)”", command: command.name)
        }
        if operands.count < bounds.lowerBound, let operand = command.operand {
            throw UsageError(
                "\(command.name): \(operand.name(after: operands.count)) is missing",
                command: command.name
            )
        }
        if operands.contains("") {
            throw UsageError("\(command.name): an argument is empty", command: command.name)
        }
    }
}
