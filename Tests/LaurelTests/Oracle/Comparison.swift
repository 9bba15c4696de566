// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Finds the differences between two JSON values. Doubles may differ by a relative 1e-9; texts must be equal byte for
/// byte.
struct Comparison {
    let place: String
    var differences: [String] = []
    var compared = 0

    init(place: String) { self.place = place }

    mutating func compare(_ ours: JSONValue, _ theirs: JSONValue, _ path: String) {
        switch (ours, theirs) {
        case (.object(let one), .object(let other)):
            for name in Set(one.keys).union(other.keys).sorted() {
                guard let value = one[name], let expected = other[name] else {
                    note(path + "." + name, "\(one[name]?.json ?? "missing")", "\(other[name]?.json ?? "missing")")
                    continue
                }
                compare(value, expected, path + "." + name)
            }
        case (.array(let one), .array(let other)):
            if one.count != other.count { note(path, "\(one.count) elements", "\(other.count)") }
            for (index, (value, expected)) in zip(one, other).enumerated() {
                compare(value, expected, "\(path)[\(index)]")
            }
        default:
            compared += 1
            if !equal(ours, theirs) { note(path, ours.json, theirs.json) }
        }
    }

    private func equal(_ ours: JSONValue, _ theirs: JSONValue) -> Bool {
        switch (ours, theirs) {
        case (.integer(let one), .integer(let other)): return one == other
        case (.string(let one), .string(let other)): return one.utf8.elementsEqual(other.utf8)
        default:
            guard let one = ours.double, let other = theirs.double else { return ours == theirs }
            return one == other || abs(one - other) <= 1e-9 * max(abs(one), abs(other))
        }
    }

    private mutating func note(_ path: String, _ ours: String, _ theirs: String) {
        differences.append("\(place), \(path): \(ours), the oracle says \(theirs)")
    }
}

extension JSONValue {
    static func count(_ count: Int) -> JSONValue { .integer(Int64(count)) }

    subscript(name: String) -> JSONValue { members[name] ?? .null }

    var members: [String: JSONValue] {
        if case .object(let members) = self { members } else { [:] }
    }

    var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var text: String {
        if case .string(let text) = self { text } else { "" }
    }

    fileprivate var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }
}
