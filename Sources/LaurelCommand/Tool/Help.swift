// SPDX-License-Identifier: Apache-2.0

/// The text of help, derived from the list of commands.
struct Help {
    let commands: [Command]
    let style: Style

    static let summary = "a progress engine for language-learning apps"
    static let exitStatus: [(status: ExitStatus, summary: String)] = [
        (.done, "done"),
        (.incomplete, "done, but not all of it was as asked (lines refused, a check failed)"),
        (.wrongRequest, "the request itself is wrong"),
        (.failed, "the store or the machine failed"),
    ]

    /// - Parameter topic: the name of a command or a group; nil for the tool.
    func text(on topic: String?) -> String {
        guard let topic else { return tool }
        if let command = commands.first(where: { $0.name == topic }) { return text(on: command) }
        return group(topic)
    }

    private var tool: String {
        """
        laurel: \(Help.summary)

        \(heading("Usage")) laurel COMMAND [OPTIONS] [ARGUMENTS]

        \(heading("Commands"))
        \(list(commands.map { ($0.name, $0.summary) }))

        \(heading("Options of most commands"))
        \(list([CommandOption].reading.map { ($0.usage, $0.summary) }))

        \(heading("Exit status"))
        \(list(Help.exitStatus.map { ("\($0.status.rawValue)", $0.summary) }))

        \(heading("Example")) laurel simulate --learners 3 --days 30 --seed 1 | laurel ingest && laurel learners

        `laurel COMMAND --help` tells more about a command, `laurel --version` the version.
        `laurel help --json` prints all of this as JSON.
        """
    }

    private func group(_ name: String) -> String {
        let members = commands.filter { $0.group == name }
        return """
            \(heading("Usage")) laurel \(name) \(members.map(\.action).joined(separator: "|")) [OPTIONS]

            \(list(members.map { ("laurel \($0.name)", $0.summary) }))

            \(heading("Example")) \(members[0].example)
            """
    }

    private func text(on command: Command) -> String {
        var parts = ["laurel \(command.name): \(command.summary)"]
        if let details = command.details { parts.append(flowing(details)) }
        parts.append("\(heading("Usage")) \(command.usage)")
        var rows = command.operand.map { [($0.name, $0.summary)] } ?? []
        rows += (command.options + [.help]).map { ($0.usage, $0.summary) }
        parts.append(list(rows))
        parts.append("\(heading("Example")) \(command.example)")
        return parts.joined(separator: "\n\n")
    }

    /// The text with its paragraphs broken at the terminal's width.
    private func flowing(_ text: String) -> String {
        guard style.width != nil else { return text }
        return text.split(separator: "\n\n").map { $0.replacing("\n", with: " ") }.joined(separator: "\n\n")
    }

    private func heading(_ text: String) -> String { style.paint(text + ":", .bold) }

    /// Names and their meanings, in two columns.
    private func list(_ rows: [(name: String, summary: String)]) -> String {
        let width = rows.map(\.name.cellWidth).max() ?? 0
        return rows.map { row in
            "  \(row.name.padded(toCells: width))  \(row.summary)"
        }.joined(separator: "\n")
    }
}
