// SPDX-License-Identifier: Apache-2.0

import Laurel

/// Checks the machine: disk, clock, permissions, lock and time zones.
struct MachineExamination {
    /// The free space in bytes that a store needs at least.
    private static let leastFree: Int64 = 64 << 20
    /// The start of 2026, before which no version of Laurel existed.
    private static let earliest: Int64 = 1_767_225_600_000
    private static let day: Int64 = 86_400_000

    let store: String

    private var folder: String {
        let folder = store.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folder.isEmpty ? (store.hasPrefix("/") ? "/" : ".") : folder
    }

    func disk() -> Finding {
        guard let free = System.freeSpace(folder) else {
            return Finding("disk", .error, "there is no folder \(folder)", advice: "make it, or name another store")
        }
        let size = System.fileStatus(store)?.size ?? 0
        let told = "\(ByteText.size(free)) free, the store takes \(ByteText.size(size))"
        if free < Self.leastFree {
            return Finding("disk", .error, told, advice: "make room: nothing can be stored soon")
        }
        guard free > size else {
            return Finding(
                "disk",
                .warning,
                told,
                advice: "make room: erasing and applying rules need as much as the store takes"
            )
        }
        return Finding("disk", .ok, told)
    }

    func clock() -> Finding {
        let now = System.now()
        let advice = "set the clock; events are refused that are more than 24 hours ahead of it"
        guard now > Self.earliest else {
            return Finding("clock", .error, "it is before 2026 on this machine", advice: advice)
        }
        guard !StoreLocation(store).isDatabase, let written = System.fileStatus(store)?.modified,
            written > now + Self.day
        else {
            return Finding("clock", .ok, "\(Timestamp(milliseconds: now))")
        }
        return Finding(
            "clock",
            .error,
            "the store was written to more than a day after what the clock says",
            advice: advice
        )
    }

    func permissions() -> Finding {
        guard let file = System.fileStatus(store) else {
            return Finding("permissions", .error, "\(store) cannot be looked at")
        }
        guard System.isWritable(store), System.isWritable(folder) else {
            return Finding(
                "permissions",
                .warning,
                "you may not write to \(store) and its folder",
                advice: "run what writes as its owner: `sudo -u '#\(file.owner)' laurel …`"
            )
        }
        let companions = ["-wal", "-shm", "-lock"].map { store + $0 }
        if let other = companions.first(where: { System.fileStatus($0).map { $0.owner != file.owner } ?? false }) {
            return Finding(
                "permissions",
                .warning,
                "\(other) belongs to another user than the store",
                advice: "`chown --reference=\(store) \(other)`, or its owner may not write"
            )
        }
        guard file.mode & 0o007 == 0 else {
            let advice = "`chmod o= \(store)`, unless that is meant"
            return Finding("permissions", .warning, "everybody on this machine may read \(store)", advice: advice)
        }
        return Finding("permissions", .ok, "mode \(String(file.mode, radix: 8))")
    }

    /// Checks the lock. A lock ends with its process, but a stopped process blocks all writers.
    func lock() -> Finding {
        guard let holder = System.lockHolder(store + "-lock") else { return Finding("lock", .ok, "nobody is writing") }
        guard holder.isStopped else { return Finding("lock", .ok, "process \(holder.process) is writing") }
        return Finding(
            "lock",
            .error,
            "process \(holder.process) holds the writers' lock, and is stopped",
            advice:
                "`kill -CONT \(holder.process)` lets it go on, `kill -9 \(holder.process)` ends it; no event is lost by either"
        )
    }

    func timeZones(_ engine: ProgressEngine?) -> Finding {
        let folder = System.environment("TZDIR") ?? "/usr/share/zoneinfo"
        guard System.isFolder(folder) else {
            return Finding(
                "time zones",
                .error,
                "there is no \(folder)",
                advice: "`apt-get install tzdata`, or set TZDIR"
            )
        }
        if let remark = (try? engine?.timeZoneRemark()) ?? nil {
            return Finding("time zones", .warning, remark, advice: "`laurel replay --store \(StoreLocation(store))`")
        }
        let version = System.firstLine(of: folder + "/tzdata.zi").map { $0.replacing("# version ", with: "") }
        return Finding("time zones", .ok, version ?? folder)
    }
}
