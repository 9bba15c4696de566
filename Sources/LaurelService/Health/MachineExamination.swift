// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Laurel
import LaurelReports
import LaurelSystem

/// Checks the machine of a store: disk, clock and time zones.
package struct MachineExamination {
    /// The minimum free space for a store, in bytes. It is enough for the largest write-ahead log, and for a block that
    /// is being merged.
    private static let leastFree: Int64 = 64 << 20
    /// The start of 2026, in milliseconds since 1970. No version of Laurel existed before.
    private static let earliest: Int64 = 1_767_225_600_000
    /// The number of milliseconds by which a file's time may be ahead of the clock: one day.
    private static let day: Int64 = 86_400_000

    package let store: String

    package init(store: String) { self.store = store }

    package var folder: String {
        let folder = store.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folder.isEmpty ? (store.hasPrefix("/") ? "/" : ".") : folder
    }

    package func disk() -> Finding {
        guard let free = FileStatus.freeSpace(folder) else {
            return Finding("disk", .error, "there is no folder \(folder)", advice: "make it, or name another store")
        }
        return Self.disk(free: free, store: FileStatus(store)?.size ?? 0)
    }

    /// - Parameters:
    ///   - free: the free space in bytes.
    ///   - store: the size of the store in bytes.
    static func disk(free: Int64, store: Int64) -> Finding {
        let told: PageText =
            "\(WrittenText.bytes(Int(free))) free, the store takes \(WrittenText.bytes(Int(store)))"
        if free < leastFree {
            return Finding("disk", .error, told, advice: "make room: nothing can be stored soon")
        }
        guard free > store else {
            let advice: PageText = "make room: erasing and applying rules need as much as the store takes"
            return Finding("disk", .warning, told, advice: advice)
        }
        return Finding("disk", .ok, told)
    }

    package func clock() -> Finding {
        let written = StoreLocation(store).isDatabase ? nil : FileStatus(store)?.modified
        return Self.clock(WallClock.now(), written: written)
    }

    /// - Parameters:
    ///   - now: the clock's time in milliseconds since 1970.
    ///   - written: the time of the latest write to the store's file, in milliseconds since 1970; nil if it is unknown.
    static func clock(_ now: Int64, written: Int64?) -> Finding {
        let advice: PageText = "set the clock; events are refused that are more than 24 hours ahead of it"
        guard now > earliest else {
            return Finding("clock", .error, "it is before 2026 on this machine", advice: advice)
        }
        if let written, written > now + day {
            let told: PageText = "the store was written to more than a day after what the clock says"
            return Finding("clock", .error, told, advice: advice)
        }
        return Finding("clock", .ok, "\(Timestamp.utc(now))")
    }

    package func timeZones(_ engine: ProgressEngine?) -> Finding {
        let folder = ProcessInfo.processInfo.environment["TZDIR"].flatMap { $0.isEmpty ? nil : $0 }
        let remark = (try? engine?.timeZoneRemark()) ?? nil
        return Self.timeZones(in: folder ?? "/usr/share/zoneinfo", remark, store: store)
    }

    /// - Parameter remark: a sentence that says how the time zone data differs from the data used for the store's
    ///   progress; nil if there is no difference.
    static func timeZones(in folder: String, _ remark: String?, store: String) -> Finding {
        guard FileStatus(folder)?.isFolder == true else {
            let advice: PageText = "`apt-get install tzdata`, or set TZDIR"
            return Finding("time zones", .error, "there is no \(folder)", advice: advice)
        }
        if let remark {
            let name = "\(StoreLocation(store))"
            return Finding("time zones", .warning, "\(remark)", advice: "`laurel replay --store \(name)`")
        }
        return Finding("time zones", .ok, "\(version(folder + "/tzdata.zi") ?? folder)")
    }

    /// The version in the first line of a file such as `# version 2026a`.
    private static func version(_ path: String) -> String? {
        let bytes = try? FileHandle(forReadingAtPath: path)?.read(upToCount: 100)
        let line = bytes?.split(separator: 0x0A).first.map { String(decoding: $0, as: UTF8.self) }
        return line?.replacing("# version ", with: "")
    }
}
