// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

extension Command {
    static let audit = Command(
        "audit",
        "Lists administrative actions on the store, with their actors, newest first",
        details: """
            The log has changes of keys, rules and webhooks, erasures, exports, dropped refused
            lines, and events that changed a learner's numbers by decree. It never names an erased
            learner.
            """,
        options: [.store, AuditCommand.since, .limit, .json],
        example: "laurel audit --store school.db --limit 20"
    ) { try AuditCommand(arguments: $0, console: $1).run() }
}

private struct AuditCommand {
    static let since = CommandOption("since", "TIME", "only entries from this instant on, RFC 3339")
    private static let defaultLimit = 100
    private static let page = 1000

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let since = try arguments.instant(Self.since)?.date
        let limit = try arguments.limit()
        let engine = try arguments.openForInspection()
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            try forEachEntry(of: engine, since: since, limit: limit ?? .max) { try list.add($0) }
            try list.finish()
            return .done
        }
        var table = Table([
            .text("time (UTC)"), .prose("actor"), .text("address").spare, .text("action"), .prose("what"),
            .prose("learner"), .prose("details"),
        ])
        var shown = 0
        try forEachEntry(of: engine, since: since, limit: limit ?? Self.defaultLimit) { entry in
            shown += 1
            table.add(cells(entry))
        }
        if shown > 0 { try table.write(to: console.output, style: console.style) }
        try console.output.flush()
        console.message(shown == 1 ? "1 entry" : "\(Numbers.grouped(shown)) entries")
        return .done
    }

    private func forEachEntry(
        of engine: ProgressEngine,
        since: Date?,
        limit: Int,
        _ body: (AuditEntry) throws -> Void
    ) throws {
        var (rest, last): (Int, String?) = (limit, nil)
        while rest > 0 {
            let entries = try engine.auditLog(before: last, since: since, limit: min(rest, Self.page))
            guard let next = entries.last?.id else { return }
            try entries.forEach(body)
            rest -= entries.count
            last = next
        }
    }

    private func cells(_ entry: AuditEntry) -> [String] {
        let details = entry.details.sorted { $0.key < $1.key }.map { "\($0) \($1)" }.joined(separator: ", ")
        return [
            TimeText.minute(entry.time), entry.actor, entry.address ?? "", entry.action, entry.target ?? "",
            entry.learner ?? "", details,
        ]
    }
}
