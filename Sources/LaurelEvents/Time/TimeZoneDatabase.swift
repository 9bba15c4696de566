// SPDX-License-Identifier: Apache-2.0

import LaurelSystem
import Synchronization

/// The machine's time zones, read from its compiled IANA database on demand.
package final class TimeZoneDatabase: Sendable {
    /// The database in `$TZDIR`, by default /usr/share/zoneinfo.
    package static let shared = TimeZoneDatabase()

    package let directory: String
    /// Zones looked up so far; nil for unknown names. The number of unknown names is limited, because any client may
    /// send them.
    private let cached = Mutex<[String: TimeZone?]>([:])
    private let cachedVersion = Mutex<String?>(nil)

    package init(directory: String? = nil) {
        self.directory = directory ?? getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    }

    /// The version of the data, such as `2025b`; a hash if the data have no version; `none` if there is no zone.
    package var version: String {
        cachedVersion.withLock { cached in
            let version = cached ?? TimeZoneVersion.of(directory)
            cached = version
            return version
        }
    }

    /// The zone with exactly this name; nil if there is none.
    package func zone(named name: String) -> TimeZone? {
        if let zone = cached.withLock({ $0[name] }) { return zone }
        let zone = load(name)
        cached.withLock { cached in
            if zone == nil, cached.count > 4096 { cached = cached.filter { $0.value != nil } }
            cached[name] = .some(zone)
        }
        return zone
    }

    /// The zone name most similar to an unknown name, for "did you mean".
    package func nearestName(to name: String) -> String? {
        guard let table = readFile("\(directory)/tzdata.zi", limit: 1 << 20) else { return nil }
        var names: [String] = []
        // Lines `Z NAME …` and `L TARGET NAME`.
        for line in table.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "))
            if words.count >= 2, words[0].elementsEqual("Z".utf8) {
                names.append(String(decoding: words[1], as: UTF8.self))
            }
            if words.count >= 3, words[0].elementsEqual("L".utf8) {
                names.append(String(decoding: words[2], as: UTF8.self))
            }
        }
        return LaurelEvents.nearestName(to: name, among: names)
    }

    private func load(_ name: String) -> TimeZone? {
        guard TimeZoneDatabase.isName(name.utf8), let file = readFile("\(directory)/\(name)", limit: 1 << 20) else {
            // A machine without a database still has UTC.
            return name == "UTC" ? .utc : nil
        }
        return TimeZone(name: name, file: file)
    }

    /// True if a text may name a zone. Such a name does not lead out of the directory, and does not belong to a file
    /// without a zone.
    private static func isName(_ name: String.UTF8View) -> Bool {
        guard 1...255 ~= name.count, !["posixrules", "localtime"].contains(where: { $0.utf8.elementsEqual(name) })
        else { return false }
        let parts = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty }),
            !["posix", "right"].contains(where: { $0.utf8.elementsEqual(parts[0]) })
        else { return false }
        return name.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "+"):
                true
            default: false
            }
        }
    }
}

/// The bytes of a regular file, or nil if it cannot be read or is longer than `limit`.
func readFile(_ path: String, limit: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
        return nil
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
        let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + filled, $0.count - filled) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return nil }
        filled += count
    }
    return bytes
}
