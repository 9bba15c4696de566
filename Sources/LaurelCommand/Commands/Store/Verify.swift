// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let verify = Command(
        "verify",
        "Checks every page and block, the indexes and the counts",
        options: [.store, .json],
        example: "laurel verify --store school.db"
    ) { try VerifyCommand(arguments: $0, console: $1).run() }
}

private struct VerifyCommand {
    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let engine = try arguments.openForInspection()
        let report = try console.withProgress("blocks") { line in
            try engine.verify { done, total in line.show(done, share: Double(done) / Double(max(total, 1))) }
        }
        if arguments.has(.json) {
            try console.output.writeJSON(report)
        } else if report.problems.isEmpty, let events = report.events {
            let size = [
                Numbers.count(events, "event"), Numbers.count(report.learners ?? 0, "learner"),
                Numbers.count(report.blocks ?? 0, "block"),
            ]
            try console.output.writeLine("ok: \(size.joined(separator: ", "))")
        } else {
            for problem in report.problems { try console.output.writeLine(Visible.text(problem)) }
        }
        try console.output.flush()
        for remark in report.remarks { console.message(Visible.text(remark)) }
        guard !report.problems.isEmpty else { return .done }
        console.message(
            "restore the store from a backup; or save what is sound with `laurel export --salvage --out FILE`, and"
                + " ingest it into a new store"
        )
        return .incomplete
    }
}
