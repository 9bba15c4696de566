// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let groups = Command(
        "groups",
        "Groups with their streaks, or one group with its members and goals",
        details: """
            A learner joins and leaves a group by the events group.joined and group.left. The rules
            say, under groups, which kinds of groups have a streak and goals. The group's day is the
            earliest local day of its members, so nobody's day is over before it ends on the
            member's own clock. The numbers are computed from the members' events each time.
            """,
        operand: Operand("GROUP", .atMostOne, "the group's id (default: all groups)"),
        options: .reading + [.limit],
        example: "laurel groups --limit 10"
    ) { try GroupsCommand(arguments: $0, console: $1).run() }
}

private struct GroupsCommand {
    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let at = try arguments.at()
        let limit = try arguments.limit()
        let engine = try arguments.openForReading()
        guard let id = arguments.operands.first else {
            try list(try engine.groups(limit: limit, at: at.date, timeZone: at.timeZone))
            return .done
        }
        if limit != nil { throw UsageError("--limit is for the list of all groups", command: arguments.command) }
        guard let group = try engine.group(id, at: at.date, timeZone: at.timeZone) else {
            throw CommandFailure.wrongRequest(
                "no learner ever joined a group “\(Visible.text(id))”",
                hint: "`laurel groups` lists the groups"
            )
        }
        if arguments.has(.json) { try console.output.writeJSON(group) } else { try show(group) }
        return .done
    }

    private func list(_ groups: [LearnerGroup]) throws {
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for group in groups { try list.add(group) }
            return try list.finish()
        }
        if !groups.isEmpty {
            var table = Table([
                .prose("group"), .prose("kind").spare, .number("members"), .number("streak"), .number("goals reached"),
            ])
            for group in groups {
                let goals = group.goals.count { $0.isComplete }
                table.add([
                    group.id, group.kind ?? "", Numbers.grouped(group.members.count),
                    group.streak.map { Numbers.grouped($0.current) } ?? "",
                    group.goals.isEmpty ? "" : "\(goals) of \(group.goals.count)",
                ])
            }
            try table.write(to: console.output, style: console.style)
        }
        try console.output.flush()
        console.message(Numbers.count(groups.count, "group"))
    }

    private func show(_ group: LearnerGroup) throws {
        func line(_ name: String, _ text: String) throws {
            try console.output.writeLine(console.style.paint(name.padded(toCells: 10), .dim) + text)
        }
        if let kind = group.kind { try line("kind", Visible.text(kind)) }
        try line("day", group.day.description)
        if let streak = group.streak {
            let days = "\(Numbers.count(streak.current, "day")), longest \(Numbers.grouped(streak.longest))"
            let today = "today \(Numbers.grouped(streak.practised)) of \(Numbers.grouped(streak.needed))"
            try line("streak", "\(days), \(today)")
        }
        for goal in group.goals {
            let values = "\(Numbers.grouped(Int(goal.value))) of \(Numbers.grouped(Int(goal.target)))"
            let state = goal.isComplete ? ", reached" : ""
            try line("goal", "\(Visible.text(goal.id)) (\(goal.window)): \(values) \(goal.sum)\(state)")
        }
        guard !group.members.isEmpty else { return }
        try console.output.writeLine()
        var table = Table(
            [.prose("member"), .prose("name").spare, .text("since").spare, .text("today")]
                + group.goals.map { .number(Visible.text($0.id)) }
        )
        for member in group.members {
            let shares = group.goals.map { Numbers.grouped(Int(member.shares[$0.id] ?? 0)) }
            table.add(
                [member.learner ?? "", member.displayName ?? "", member.since?.description ?? ""]
                    + [member.practisedToday ? "yes" : "no"] + shares
            )
        }
        try table.write(to: console.output, style: console.style)
    }
}
