// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelService

extension Command {
    static let doctor = Command(
        "doctor",
        "Checks store, rules and machine for problems, and says what to do",
        details: """
            The command only reads, and takes a moment. `laurel verify` checks every page of the
            store, and `laurel replay --check` every number. The settings are those of the service:
            see `laurel config show`. After an error, the status is 1.
            """,
        options: [.config] + .serviceSettings + [.json],
        example: "laurel doctor --store school.db"
    ) { try DoctorCommand(arguments: $0, console: $1).run() }
}

private struct DoctorCommand {
    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let findings = look()
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for finding in findings { try list.add(finding) }
            try list.finish()
        } else {
            for finding in findings { try show(finding) }
        }
        try console.output.flush()
        let (errors, warnings) = (findings.count { $0.status == .error }, findings.count { $0.status == .warning })
        console.message("\(Numbers.count(errors, "error")), \(Numbers.count(warnings, "warning"))")
        return errors > 0 ? .incomplete : .done
    }

    private func show(_ finding: Finding) throws {
        let colour: Style.Colour = finding.status == .ok ? .green : finding.status == .warning ? .yellow : .red
        let word = finding.status == .warning ? "warn" : finding.status.rawValue
        let mark = console.style.paint(word.padded(toCells: 5), colour)
        try console.output.writeLine("\(mark)  \(finding.check.padded(toCells: 11))  \(Visible.text(finding.message))")
        if let advice = finding.advice { try console.output.writeLine("       \(Visible.text(advice))") }
    }

    /// Runs each check separately, so that one failure does not hide another.
    private func look() -> [Finding] {
        let (options, settings) = SettingsExamination(arguments: arguments).findings()
        let machine = MachineExamination(store: options.store)
        let location = StoreLocation(options.store)
        if location.isDatabase { return settings + database(location, options, machine) }
        guard System.exists(options.store) else {
            let none = Finding(
                "store",
                .warning,
                english: "there is no \(options.store) yet",
                advice: "the first `laurel ingest` makes it; another one is named by --store or LAUREL_STORE"
            )
            return settings + [none, machine.clock(), machine.disk(), machine.timeZones(nil)]
        }
        let (engine, store) = store(options)
        let machineFindings = [machine.permissions(), machine.lock(), machine.disk(), machine.clock()]
        return settings + store + machineFindings + [machine.timeZones(engine)]
    }

    private func database(
        _ location: StoreLocation,
        _ options: ServiceOptions,
        _ machine: MachineExamination
    ) -> [Finding] {
        do {
            let status = try StoreManagement(location).status()
            let server = DatabaseExamination(status: status).findings()
            guard status.format != nil else { return server + [machine.clock(), machine.timeZones(nil)] }
            let (engine, store) = store(options)
            return store + server + [machine.clock(), machine.timeZones(engine)]
        } catch {
            let advice = "`laurel store status \(location)` says more"
            let failed = Finding("database", .error, english: CommandFailure(error).message, advice: advice)
            return [failed, machine.clock(), machine.timeZones(nil)]
        }
    }

    /// Checks the store. The result contains the store, or nil if it cannot be opened.
    private func store(_ options: ServiceOptions) -> (ProgressEngine?, [Finding]) {
        do {
            let engine = try ProgressEngine.open(path: options.store, for: .inspection)
            return (engine, try StoreExamination(engine: engine, options: options).findings())
        } catch {
            let advice =
                "`laurel verify --store \(options.shownStore)` says more; restore a backup, or see docs/store.md#damage"
            return (nil, [Finding("store", .error, english: CommandFailure(error).message, advice: advice)])
        }
    }
}
