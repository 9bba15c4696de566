// SPDX-License-Identifier: Apache-2.0

import LaurelWire

/// The fields of a form, or of a page's query. Browsers also send empty fields of forms, so an empty field counts as
/// absent.
struct Fields: Sendable {
    /// A file that the reader chose.
    struct File: Sendable {
        var name: String
        var bytes: [UInt8]
    }

    private var values: [String: [String]] = [:]
    /// The files of a form, by the names of their fields.
    var files: [String: File] = [:]

    init() {}

    /// Parses `application/x-www-form-urlencoded`, the format in which browsers send queries and forms.
    init(_ text: some StringProtocol) {
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentCoding.decode(pair[0], plusIsSpace: true),
                let value = PercentCoding.decode(pair.count > 1 ? pair[1] : "", plusIsSpace: true), !value.isEmpty
            else { continue }
            values[name, default: []].append(value)
        }
    }

    /// The value of a field. The value of a chosen file is its text.
    subscript(name: String) -> String? {
        values[name]?.first ?? files[name].map { String(decoding: $0.bytes, as: UTF8.self) }
    }
    func all(_ name: String) -> [String] { values[name] ?? [] }
    func has(_ name: String) -> Bool { values[name] != nil }
    func number(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

    mutating func set(_ name: String, _ value: String) {
        values[name] = value.isEmpty ? nil : [value]
    }
}
