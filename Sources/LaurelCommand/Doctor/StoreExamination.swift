// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelHTTP
import LaurelService

/// Checks a store that can be opened.
struct StoreExamination {
    let engine: ProgressEngine
    let options: ServiceOptions

    func findings() throws -> [Finding] {
        let size = try engine.size()
        let status = try StoreManagement(StoreLocation(options.store)).status()
        let format = status.format.map { ", format \($0)" } ?? ""
        let counts = "\(Numbers.count(size.events, "event")), \(Numbers.count(size.learners, "learner"))\(format)"
        let store = Finding("store", .ok, english: "\(options.shownStore): \(counts)")
        return [store, .quarantine(size.quarantined), rules(), service()]
    }

    /// Checks the applied rules against the catalogue of this version of Laurel.
    private func rules() -> Finding {
        do {
            let inForce = try engine.rulesInForce()
            guard let latest = inForce.last else { return Finding("rules", .ok, english: "none applied yet") }
            let warnings = try inForce.flatMap { try Rules($0).warnings }
            let name = "“\(latest.name)”, version \(latest.version)"
            guard let first = warnings.first else { return Finding("rules", .ok, english: name) }
            return Finding(
                "rules",
                .warning,
                english: "\(name): \(Numbers.count(warnings.count, "warning")), first: \(first.message)",
                advice: "`laurel rules show > rules.yaml && laurel rules check rules.yaml` shows where"
            )
        } catch {
            return Finding(
                "rules",
                .error,
                english: "this version cannot read the store's rules: \(CommandFailure(error).message)",
                advice: "`laurel rules show` gives them; mend them, and `laurel rules apply` them"
            )
        }
    }

    /// Finds reasons that prevent `laurel serve` from starting or from answering requests.
    private func service() -> Finding {
        let keys = (try? AccessKeys(engine).all()) ?? []
        if options.isOpen, !options.listen.isLoopback {
            return Finding(
                "service",
                .error,
                english:
                    "--open is for this machine alone, but \(options.listen) can be reached from other machines: the service would not start",
                advice: "leave `open` out, and send a key"
            )
        }
        if !keys.isEmpty, !keys.contains(where: { $0.isAdministrator(at: System.date()) }) {
            return Finding(
                "service",
                .warning,
                english: "no valid key has the scope admin",
                advice: "`laurel keys add --scope admin --store \(options.shownStore)` makes one"
            )
        }
        if let folder = options.reportsFolder, !System.isFolder(folder) {
            return Finding(
                "service",
                .error,
                english: "there is no folder \(folder)",
                advice: "make it, or change `reports`"
            )
        }
        let files = System.fileLimit
        guard files > options.mostConnections else {
            return Finding(
                "service",
                .warning,
                english:
                    "the process may open \(Numbers.grouped(files)) files, and \(Numbers.grouped(options.mostConnections)) connections are allowed",
                advice: "raise the hard limit (LimitNOFILE of the unit, `ulimit -Hn`), or lower `most-connections`"
            )
        }
        let access =
            switch (keys.isEmpty, options.isOpen) {
            case (false, _): Numbers.count(keys.count, "key")
            case (true, true): "open to this machine, without keys"
            case (true, false): "no keys: it makes the first one when it starts"
            }
        return Finding("service", .ok, english: "listens on \(options.listen), \(access)")
    }
}
