// SPDX-License-Identifier: Apache-2.0

import LaurelWire

/// What a form, or a page's own query, says. Forms send fields that nobody has filled in, so an empty one is none.
struct Fields: Sendable {
    private var values: [String: [String]] = [:]

    init() {}

    /// As browsers write them in queries and bodies: `application/x-www-form-urlencoded`.
    init(_ text: some StringProtocol) {
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentCoding.decode(pair[0], plusIsSpace: true),
                let value = PercentCoding.decode(pair.count > 1 ? pair[1] : "", plusIsSpace: true), !value.isEmpty
            else { continue }
            values[name, default: []].append(value)
        }
    }

    subscript(name: String) -> String? { values[name]?.first }
    func all(_ name: String) -> [String] { values[name] ?? [] }
    func has(_ name: String) -> Bool { values[name] != nil }
    func number(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

    mutating func set(_ name: String, _ value: String) {
        values[name] = value.isEmpty ? nil : [value]
    }
}
