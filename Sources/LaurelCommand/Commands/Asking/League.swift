// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

extension Command {
    static let league = Command(
        "league",
        "Rooms and ranks of the weekly leagues, or their settlement",
        details: """
            The rules define leagues under `leagues`. Each tier is divided into rooms, which compare
            the XP of the week. Without NAME, all leagues are listed. With NAME, the rooms of the
            week are shown, as a settlement would rank the learners now. Before the settlement,
            further learners may change the rooms. W is a date in the week, 2026-W06, this or last.

            With the word `settle`, all weeks that have ended are settled, for one league or for
            all: each competitor gets an event league.finished. A week is settled once. Under
            `late: promote-only`, the next settlement may improve results of the latest week.
            With --check, nothing is written; if a settlement is due, the exit status is 1.
            """,
        operand: Operand("NAME", .any, "the league's name (default: all), the word settle, or both"),
        options: .reading + [.week, LeagueCommand.learner, LeagueCommand.check],
        example: "laurel league settle --check"
    ) { try LeagueCommand(arguments: $0, console: $1).run() }
}

private struct LeagueCommand {
    static let learner = CommandOption("learner", "L", "only the learner's room", completes: .learners)
    static let check = CommandOption("check", nil, "show what settle would store, and store nothing")
    private static let action = "settle"

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        var words = arguments.operands
        let settles = words.last == Self.action
        if settles { words.removeLast() }
        guard words.count <= 1 else {
            let form = "laurel league [NAME] [settle]"
            throw UsageError(
                "“\(Visible.text(words[1]))” is one argument too many: \(form)",
                command: arguments.command
            )
        }
        for option in settles ? [.week, Self.learner] : [Self.check] where arguments.has(option) {
            let place = settles ? "cannot stand beside settle" : "is for settle"
            throw UsageError("\(option.flag) \(place)", command: arguments.command)
        }
        return settles ? try settle(words.first) : try show(words.first)
    }

    // MARK: Settlement

    private func settle(_ name: String?) throws -> ExitStatus {
        let isCheck = arguments.has(Self.check)
        let now = try arguments.at().date
        let engine = try isCheck ? arguments.openForReading() : arguments.openForWriting(clock: Date())
        try check(name, engine, at: now)
        let settlements = try console.withProgress("results") { line in
            try engine.settleLeagues(name, isDryRun: isCheck, actor: System.actor, now: now) {
                line.show($0, share: nil)
            }
        }
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for settlement in settlements { try list.add(settlement) }
            try list.finish()
        } else {
            for settlement in settlements { try console.output.writeLine(settlement.sentence(isCheck: isCheck)) }
        }
        try console.output.flush()
        if settlements.isEmpty { console.message("no settlement is due") }
        return isCheck && !settlements.isEmpty ? .incomplete : .done
    }

    /// Refuses a name that no league has.
    private func check(_ name: String?, _ engine: ProgressEngine, at date: Date) throws {
        let names = engine.leagues(at: date)
        guard let name, !names.contains(name) else { return }
        let known = names.isEmpty ? "the rules have no leagues" : "the leagues are \(names.joined(separator: ", "))"
        throw CommandFailure.wrongRequest("the rules have no league “\(Visible.text(name))”", hint: known)
    }

    // MARK: Rooms

    private func show(_ name: String?) throws -> ExitStatus {
        let at = try arguments.at()
        let engine = try arguments.openForReading()
        try check(name, engine, at: at.date)
        if let learner = arguments.text(Self.learner) { return try show(learner, name, engine, at: at.date) }
        let day = try arguments.has(.week) ? arguments.week(engine, at) : nil
        let tables = try (name.map { [$0] } ?? engine.leagues(at: at.date)).compactMap {
            try engine.league($0, day: day, at: at.date)
        }
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for table in tables { try list.add(table) }
            try list.finish()
        } else if name == nil {
            try list(tables)
        } else {
            for table in tables { try show(table) }
        }
        try console.output.flush()
        if name == nil { console.message(Numbers.count(tables.count, "league")) }
        return .done
    }

    private func list(_ tables: [LeagueTable]) throws {
        guard !tables.isEmpty else { return }
        var table = Table([
            .prose("league"), .text("week"), .prose("tier"), .number("rooms"), .number("learners"),
            .text("settled from").spare,
        ])
        for league in tables {
            for tier in league.tiers {
                let learners = tier.rooms.reduce(0) { $0 + $1.members.count }
                table.add([
                    league.league, league.week, tier.tier, Numbers.grouped(tier.rooms.count),
                    Numbers.grouped(learners), "\(Timestamp(league.settlesAt, in: nil))",
                ])
            }
        }
        try table.write(to: console.output, style: console.style)
    }

    private func show(_ league: LeagueTable) throws {
        let state = league.isSettled ? "settled" : "settled from \(Timestamp(league.settlesAt, in: nil)) on"
        try console.output.writeLine("\(league.week), \(league.firstDay) to \(league.lastDay), \(state)")
        for tier in league.tiers {
            for room in tier.rooms {
                try console.output.writeLine("")
                try console.output.writeLine("\(Visible.text(tier.tier)), room \(Numbers.grouped(room.room))")
                try write(room.members)
            }
        }
    }

    private func show(
        _ learner: String,
        _ league: String?,
        _ engine: ProgressEngine,
        at date: Date
    ) throws -> ExitStatus {
        guard try engine.learner(learner).progress(at: date) != nil else { throw try engine.unknownLearner(learner) }
        guard let standing = try engine.learner(learner).league(league, at: date) else {
            throw CommandFailure.wrongRequest("the rules have no leagues", hint: "define one under `leagues`")
        }
        guard !arguments.has(.json) else {
            try console.output.writeJSON(standing)
            return .done
        }
        let place = standing.rank.map { "rank \(Numbers.grouped($0)) of \(Numbers.grouped(standing.members.count))" }
        let ends = "ends \(Timestamp(standing.endsAt, in: nil))"
        let idle = standing.competes ? "no XP yet" : "opted out"
        try console.output.writeLine(
            "\(standing.week), tier \(Visible.text(standing.tier)), \(place ?? idle), "
                + "\(Numbers.grouped(standing.xp)) XP, \(ends)"
        )
        try write(standing.members)
        return .done
    }

    private func write(_ members: [LeagueMember]) throws {
        guard !members.isEmpty else { return }
        var table = Table([
            .number("rank"), .prose("learner"), .prose("name").spare, .number("XP"), .text("result"),
        ])
        for member in members {
            table.add([
                Numbers.grouped(member.rank), member.learner ?? "", member.displayName ?? "",
                Numbers.grouped(member.xp), member.outcome,
            ])
        }
        try table.write(to: console.output, style: console.style)
    }
}

extension LeagueSettlement {
    fileprivate func sentence(isCheck: Bool) -> String {
        let action = isAmendment ? "improved" : "settled"
        let state = isCheck ? "would be \(action)" : action
        let counts =
            "\(Numbers.count(results, "result")), \(Numbers.grouped(promoted)) promoted, "
            + "\(Numbers.grouped(demoted)) demoted"
        return "\(Visible.text(league)), \(week): \(state), \(counts)"
    }
}
