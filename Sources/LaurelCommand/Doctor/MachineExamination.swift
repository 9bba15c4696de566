// SPDX-License-Identifier: Apache-2.0

import LaurelService
import LaurelSystem

/// Checks of the machine before a service runs: the store's permissions and its lock.
extension MachineExamination {
    func permissions() -> Finding {
        guard let file = FileStatus(store) else {
            return Finding("permissions", .error, english: "\(store) cannot be looked at")
        }
        guard System.isWritable(store), System.isWritable(folder) else {
            return Finding(
                "permissions",
                .warning,
                english: "you may not write to \(store) and its folder",
                advice: "run what writes as its owner: `sudo -u '#\(file.owner)' laurel …`"
            )
        }
        let companions = ["-wal", "-shm", "-lock"].map { store + $0 }
        if let other = companions.first(where: { FileStatus($0).map { $0.owner != file.owner } ?? false }) {
            return Finding(
                "permissions",
                .warning,
                english: "\(other) belongs to another user than the store",
                advice: "`chown --reference=\(store) \(other)`, or its owner may not write"
            )
        }
        guard file.mode & 0o007 == 0 else {
            let advice = "`chmod o= \(store)`, unless that is meant"
            return Finding(
                "permissions",
                .warning,
                english: "everybody on this machine may read \(store)",
                advice: advice
            )
        }
        return Finding("permissions", .ok, english: "mode \(String(file.mode, radix: 8))")
    }

    /// Checks the store's lock. A lock ends when its process ends. A process that is only stopped blocks all writers.
    func lock() -> Finding {
        guard let holder = System.lockHolder(store + "-lock") else {
            return Finding("lock", .ok, english: "nobody is writing")
        }
        guard holder.isStopped else { return Finding("lock", .ok, english: "process \(holder.process) is writing") }
        return Finding(
            "lock",
            .error,
            english: "process \(holder.process) holds the writers' lock, and is stopped",
            advice:
                "`kill -CONT \(holder.process)` lets it go on, `kill -9 \(holder.process)` ends it; no event is lost by either"
        )
    }
}
