// SPDX-License-Identifier: Apache-2.0

import Laurel

/// A store's status, for people.
struct StoreStatusText {
    let console: Console

    private static let width = 12

    func write(_ status: StoreStatus) throws {
        try row("store", status.store)
        try row("format", format(status))
        if status.format != nil {
            let counts = [Numbers.count(status.events, "event"), Numbers.count(status.learners, "learner")]
            try row("holds", counts.joined(separator: ", "))
            try row("takes", size(status))
        }
        if let database = status.database { try write(database) }
        try console.output.flush()
        for warning in status.warnings { console.message(Visible.text("\(warning.message): \(warning.advice)")) }
    }

    private func write(_ database: StoreStatus.Database) throws {
        let kind = database.isReadOnly ? ", which only lets read" : ""
        try row("server", "PostgreSQL \(database.serverVersion)\(kind)")
        if database.rights != nil { try writeStore(database) }
        let used = database.programs.reduce(0) { $0 + $1.connections }
        try row("connections", "\(Numbers.grouped(used)) of \(Numbers.grouped(database.mostConnections))")
        if !database.programs.isEmpty { try write(database.programs) }
        guard !database.standbys.isEmpty else { return try row("standbys", "none") }
        try row("standbys", Numbers.grouped(database.standbys.count))
        try write(database.standbys)
    }

    private func writeStore(_ database: StoreStatus.Database) throws {
        let partitions = Numbers.count(database.partitions, "partition")
        let writes = Numbers.count(database.writes, "write")
        try row("schema", "\(database.schema), \(partitions), \(writes); you are its \(database.rights ?? "")")
        for size in database.sizes where size.bytes > 0 { try row("  \(size.kind)", ByteText.size(size.bytes)) }
        if database.isApplyingRules { try row("rules", "are being applied, or progress is being replayed") }
    }

    private func write(_ programs: [StoreStatus.Program]) throws {
        var table = Table([
            .prose("program"), .text("user"), .number("connections"), .number("busy"), .number("longest (s)"),
        ])
        for program in programs {
            table.add([
                program.name.isEmpty ? "-" : program.name, program.user, Numbers.grouped(program.connections),
                program.busy.map { Numbers.grouped($0) } ?? "-",
                program.longestTransactionSeconds.map { Numbers.grouped($0) } ?? "-",
            ])
        }
        try table.write(to: console.output, style: console.style)
    }

    private func write(_ standbys: [StoreStatus.Standby]) throws {
        var table = Table([.prose("standby"), .text("state"), .text("mode"), .number("behind"), .number("seconds")])
        for standby in standbys {
            table.add([
                standby.name, standby.state ?? "-", standby.mode ?? "-",
                standby.lagBytes.map { ByteText.size($0) } ?? "-",
                standby.lagSeconds.map { Numbers.grouped($0) } ?? "-",
            ])
        }
        try table.write(to: console.output, style: console.style)
    }

    private func format(_ status: StoreStatus) -> String {
        guard let format = status.format else { return "none: there is no store" }
        return format == status.newestFormat
            ? "\(format), the newest" : "\(format); the newest is \(status.newestFormat)"
    }

    private func size(_ status: StoreStatus) -> String {
        guard status.events > 0 else { return ByteText.size(status.bytes) }
        let each = Double(status.bytes) / Double(status.events)
        return "\(ByteText.size(status.bytes)), \(Numbers.grouped(each)) bytes for each event"
    }

    private func row(_ name: String, _ value: String) throws {
        try console.output.writeLine(name.padded(toCells: Self.width) + "  " + Visible.text(value))
    }
}
