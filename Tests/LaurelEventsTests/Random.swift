// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
@_exported public import SeededRandom

extension SeededGenerator {
    mutating func pick<T>(_ elements: [T]) -> T { elements[Int.random(in: 0..<elements.count, using: &self)] }

    mutating func text() -> String {
        let letters = [
            "a", "Z", "é", "e\u{301}", "日", "😀", "\"", "\\", "\n", "\u{1}", "/", " ", "\u{7F}", "\u{2028}", "0",
        ]
        return (0..<Int.random(in: 0...8, using: &self)).map { _ in pick(letters) }.joined()
    }

    mutating func number() -> JSONValue {
        switch Int.random(in: 0..<8, using: &self) {
        case 0: return .integer(Int64.random(in: -10...10, using: &self))
        case 1: return .integer(Int64(bitPattern: next()))
        case 2: return .double(Double.random(in: 0...1, using: &self))
        case 3: return .number("\(next())\(next())")
        case 4: return .number("0.\(next())\(next() | 1)")
        case 5: return .double(-0.0)
        case 6: return .number("1e\(Int.random(in: 400...999, using: &self))")
        default:
            let value = Double(bitPattern: next())
            // A whole number of 64 bits comes back as an integer.
            return value.isFinite && Int64(exactly: value) == nil ? .double(value) : .integer(7)
        }
    }

    mutating func json(depth: Int = 0) -> JSONValue {
        switch Int.random(in: 0..<(depth < 4 ? 8 : 5), using: &self) {
        case 0: return .null
        case 1: return .boolean(Bool.random(using: &self))
        case 2: return number()
        case 3, 4: return .string(text())
        case 5, 6: return .array((0..<Int.random(in: 0...3, using: &self)).map { _ in json(depth: depth + 1) })
        default: return .object(object(depth: depth + 1))
        }
    }

    mutating func object(depth: Int = 0) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for _ in 0..<Int.random(in: 0...4, using: &self) { members[text()] = json(depth: depth) }
        return members
    }

    mutating func timestamp() -> String {
        var time = Timestamp(milliseconds: Int64.random(in: 0...1_770_314_400_000, using: &self)).description
        time.removeLast()
        time.removeLast(pick([0, 1, 2, 4]))
        if Int.random(in: 0..<5, using: &self) == 0 { time = time.lowercased() }
        return time + pick(["Z", "z", "-00:00", "Z"])
    }

    /// An event as JSON, with all possible members, in any order.
    mutating func event() -> String {
        var members: [(String, JSONValue)] = [
            ("id", .string("e\(next() % 100_000)")), ("source", .string(pick(["app", "tablet \"é\"\n"]))),
            ("type", .string(pick(["quest.finished", "line.skipped", "a-b_c.9"]))), ("subject", .string("ana")),
            ("time", .string(timestamp())), ("language", pick(["es", "pt-BR", .null])),
            ("session", pick(["s-1", .null])), ("timezone", pick(["Europe/Madrid", "Asia/Kathmandu", .null])),
        ]
        if Bool.random(using: &self) { members.append(("specversion", "1.0")) }
        if Bool.random(using: &self) { members.append(("data", .object(object()))) }
        let taken = Set(members.map(\.0) + ["data", "specversion"])
        for (name, value) in object() where !taken.contains(name) { members.append((name, value)) }
        members.shuffle(using: &self)
        let spaces = ["", " ", "\t"]
        return "{"
            + members.map { "\(JSONValue.string($0.0).json)\(pick(spaces)):\(pick(spaces))\($0.1.json)" }
            .joined(separator: "," + pick(spaces)) + "}"
    }

    /// Changes, removes, inserts or repeats a part, or cuts the rest off.
    mutating func damage(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: 0..<bytes.count, using: &self)
        switch Int.random(in: 0..<5, using: &self) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &self)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(pick(Array("\"\\{}[]:,0-eu\n\u{0}".utf8)), at: index)
        case 3: bytes.removeLast(bytes.count - index)
        default: bytes.insert(contentsOf: bytes[index...].prefix(9), at: index)
        }
    }
}
