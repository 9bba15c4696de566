// SPDX-License-Identifier: Apache-2.0

import Laurel

/// The list of commands, as `laurel help --json` prints it. The man pages are made from it.
struct HelpDocument: Encodable {
    let version = laurelVersion
    let summary = Help.summary
    /// The options that every command accepts, even if its own list lacks them.
    let options = [CommandOption].everywhere.map(Option.init)
    let commands: [Entry]
    let exitStatus = Help.exitStatus.map { Status(status: $0.status.rawValue, summary: $0.summary) }

    struct Status: Encodable {
        let status: Int32
        let summary: String
    }

    struct Entry: Encodable {
        let name: String
        /// The first word of a name with two words; nil for other names.
        let group: String?
        /// True if the group's name alone runs this command.
        let groupDefault: Bool
        let summary: String
        let details: String?
        let usage: String
        let argument: Argument?
        let options: [Option]
        let example: String
    }

    struct Argument: Encodable {
        let name: String
        let summary: String
        let `default`: String?
        let minimum: Int
        /// The maximum number of arguments; nil for no limit.
        let maximum: Int?
    }

    struct Option: Encodable {
        let name: String
        /// The placeholder of the value; nil for a switch.
        let value: String?
        let summary: String
        let `default`: String?
        /// Always false: the parser refuses a repeated option.
        let repeatable = false
    }

    /// - Parameter topic: the name of a command or a group; nil for all commands.
    init(_ commands: [Command], topic: String?) {
        self.commands = commands.filter { topic == nil || $0.name == topic || $0.group == topic }.map(Entry.init)
    }
}

extension HelpDocument.Entry {
    init(_ command: Command) {
        name = command.name
        group = command.group
        groupDefault = command.isGroupDefault
        summary = command.summary
        details = command.details
        usage = command.usage
        argument = command.operand.map(HelpDocument.Argument.init)
        options = command.options.map(HelpDocument.Option.init)
        example = command.example
    }
}

extension HelpDocument.Argument {
    init(_ operand: Operand) {
        let bounds = operand.bounds
        (name, minimum) = (operand.name, bounds.lowerBound)
        maximum = bounds.upperBound == .max ? nil : bounds.upperBound
        (summary, self.default) = splitDefault(operand.summary)
    }
}

extension HelpDocument.Option {
    init(_ option: CommandOption) {
        (name, value) = (option.name, option.value)
        (summary, self.default) = splitDefault(option.summary)
    }
}

/// The parts of a help line: its summary, and the value of a `(default: VALUE)` at its end.
private func splitDefault(_ line: String) -> (summary: String, default: String?) {
    let mark = " (default: "
    guard line.hasSuffix(")"), let start = line.ranges(of: mark).last else { return (line, nil) }
    return (String(line[..<start.lowerBound]), String(line[start.upperBound...].dropLast()))
}
