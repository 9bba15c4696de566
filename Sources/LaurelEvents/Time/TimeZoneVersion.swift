// SPDX-License-Identifier: Apache-2.0

import LaurelSystem

/// The version of a time zone database. Local days depend on it, so equal progress needs equal data.
enum TimeZoneVersion {
    /// The version of a database without any zone.
    static let none = "none"

    /// The version in the first line of `tzdata.zi`, such as `2025b`; without that file, a hash of the zones' files.
    static func of(_ directory: String) -> String { named(directory) ?? hashed(directory) ?? none }

    private static func named(_ directory: String) -> String? {
        guard let file = fopen("\(directory)/tzdata.zi", "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = fread(&bytes, 1, bytes.count, file)
        let line = bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
        let words = line.split(separator: UInt8(ascii: " "))
        guard words.count == 3, words[1].elementsEqual("version".utf8) else { return nil }
        return String(decoding: words[2], as: UTF8.self)
    }

    /// A hash of all zones.
    /// - Complexity: reads some 600 files.
    private static func hashed(_ directory: String) -> String? {
        let files = files(in: directory, "")
        guard !files.isEmpty else { return nil }
        var hash = SHA256()
        for name in files.sorted() {
            hash.update(Array(name.utf8))
            hash.update(readFile("\(directory)/\(name)", limit: 1 << 20) ?? [])
        }
        return "sha256:\(hash.finish().hexadecimal.prefix(16))"
    }

    /// The compiled zones below a directory, without the copies in `posix` and `right`.
    private static func files(in directory: String, _ prefix: String) -> [String] {
        guard let folder = opendir("\(directory)/\(prefix)") else { return [] }
        defer { closedir(folder) }
        var found: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(".") || ["posix", "right", "posixrules", "localtime"].contains(name) { continue }
            let path = prefix.isEmpty ? name : "\(prefix)/\(name)"
            if let bytes = readFile("\(directory)/\(path)", limit: 1 << 20) {
                if bytes.starts(with: "TZif".utf8) { found.append(path) }
            } else if prefix.split(separator: "/").count < 4 {
                found += files(in: directory, path)
            }
        }
        return found
    }
}
