// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let quarantineList = Command(
        "quarantine list",
        "Lists the refused lines, with the reasons",
        options: [.store, .limit, .json],
        example: "laurel quarantine list --limit 20",
        isGroupDefault: true
    ) { try QuarantineCommand(arguments: $0, console: $1).list() }

    static let quarantineExport = Command(
        "quarantine export",
        "Prints the original refused lines, to repair and ingest them again",
        operand: Operand("ID", .any, "ids from `laurel quarantine list` (default: all lines)"),
        options: [.store, .out, .mode],
        example: "laurel quarantine export --out repair.ndjson"
    ) { try QuarantineCommand(arguments: $0, console: $1).export() }

    static let quarantineDrop = Command(
        "quarantine drop",
        "Removes lines from quarantine for good",
        operand: Operand("ID", .any, "ids from `laurel quarantine list`"),
        options: [.store, .all],
        example: "laurel quarantine drop 17 18"
    ) { try QuarantineCommand(arguments: $0, console: $1).drop() }
}

private struct QuarantineCommand {
    let arguments: Arguments
    let console: Console

    private static let page = 1000
    /// The default limit, in lines.
    private static let defaultLimit = 100

    // MARK: list

    func list() throws -> ExitStatus {
        let engine = try arguments.openForInspection()
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            try forEachLine(of: engine, limit: try arguments.limit()) { line in try list.add(line) }
            try list.finish()
            return .done
        }
        let limit = try arguments.limit() ?? Self.defaultLimit
        var table = Table([
            .number("id"), .prose("where"), .prose("learner"), .prose("reason"), .text("received (UTC)").spare,
        ])
        var shown = 0
        try forEachLine(of: engine, limit: limit) { line in
            shown += 1
            table.add(cells(line))
        }
        if shown > 0 { try table.write(to: console.output, style: console.style) }
        let counts = try engine.quarantineCounts()
        let total = counts.reduce(0) { $0 + $1.lines }
        try console.output.flush()
        let reasons = counts.map { "\($0.reason) \(Numbers.grouped($0.lines))" }.joined(separator: ", ")
        console.message(
            total == 0 ? "nothing is in quarantine" : "\(Numbers.count(total, "line")) in quarantine: \(reasons)"
        )
        if shown < total { console.message("\(Numbers.grouped(shown)) shown; --limit N shows more") }
        return .done
    }

    private func forEachLine(of engine: ProgressEngine, limit: Int?, _ body: (QuarantinedLine) throws -> Void) throws {
        var rest = limit ?? .max
        var last = Int.min
        while rest > 0 {
            let lines = try engine.quarantinedLines(after: last, limit: min(rest, Self.page))
            guard let next = lines.last?.id else { return }
            try lines.forEach(body)
            rest -= lines.count
            last = next
        }
    }

    private func cells(_ line: QuarantinedLine) -> [String] {
        let place = [line.file, line.line.map(String.init)].compactMap(\.self).joined(separator: ":")
        return [String(line.id), place, line.learner ?? "", line.message, TimeText.minute(line.receivedAt)]
    }

    // MARK: export

    func export() throws -> ExitStatus {
        let output = try arguments.output(console)
        let engine = try arguments.openForInspection()
        let ids = try wantedIDs(in: engine)
        var lines = 0
        func write(_ id: Int) throws {
            try engine.quarantinedLine(id) { try output.write($0) }
            try output.write("\n")
            lines += 1
        }
        if ids.isEmpty {
            try forEachLine(of: engine, limit: nil) { try write($0.id) }
        } else {
            try ids.forEach(write)
        }
        if arguments.has(.out) {
            try output.finish()
            console.message("\(Numbers.count(lines, "line")) written to \(arguments.text(.out) ?? "")")
        }
        return .done
    }

    // MARK: drop

    func drop() throws -> ExitStatus {
        guard arguments.has(.all) != !arguments.operands.isEmpty else {
            throw UsageError(
                "quarantine drop: name the lines by their ids, or all of them with --all",
                command: arguments.command
            )
        }
        // Neither `export` nor `drop` creates a missing store.
        let ids = try wantedIDs(in: try arguments.openForInspection())
        let engine = try arguments.openForRemoval()
        let dropped = try engine.dropQuarantined(arguments.has(.all) ? nil : ids, by: System.actor)
        try console.output.writeLine("\(Numbers.count(dropped, "line")) dropped")
        return .done
    }

    /// The given ids, after a check that each is in quarantine.
    private func wantedIDs(in engine: ProgressEngine) throws -> [Int] {
        var ids: [Int] = []
        for operand in arguments.operands {
            guard let id = Int(operand), id > .min else {
                throw UsageError("“\(Visible.text(operand))” is no id of a line", command: arguments.command)
            }
            guard try engine.quarantinedLines(after: id - 1, limit: 1).first?.id == id else {
                throw CommandFailure.wrongRequest(
                    "there is no line \(id) in quarantine",
                    hint: "`laurel quarantine list` lists them"
                )
            }
            if !ids.contains(id) { ids.append(id) }
        }
        return ids
    }
}
