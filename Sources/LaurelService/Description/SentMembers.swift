// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The members that values of a type have in JSON. Several values are examined, because not every value has all
/// members.
struct SentMembers {
    private var objects = 0
    /// The names, in the order of the JSON.
    private var names: [String] = []
    /// For each member, the number of objects that have the member, and the number in which it is null.
    private var counts: [String: (all: Int, null: Int)] = [:]

    /// Counts the members of an object.
    /// - Parameter json: the object as `LaurelJSON` writes it, without spaces.
    mutating func add(_ json: Data) {
        objects += 1
        var place = 0
        for (name, isNull) in Self.members(Array(json)) {
            if let known = names.firstIndex(of: name) {
                place = known + 1
            } else {
                names.insert(name, at: place)
                place += 1
            }
            counts[name, default: (0, 0)].all += 1
            if isNull { counts[name, default: (0, 0)].null += 1 }
        }
    }

    /// The members that were found in JSON; the recorded members if no JSON was added.
    func members(_ recording: Recording) -> [Shape.Member] {
        let asked = recording.members
        guard objects > 0 else { return asked }
        // A member that was not recorded is assumed to belong to the same type as the member before it.
        var owner = recording.name
        return names.map { name in
            let (all, null) = counts[name] ?? (0, 0)
            let known = asked.first { $0.name == name }
            owner = known?.owner ?? owner
            return Shape.Member(
                name: name,
                shape: known?.shape ?? .any,
                owner: owner,
                mayBeMissing: all < objects,
                mayBeNull: null > 0
            )
        }
    }

    /// The names of an object's members. Each name comes with true if its value is null.
    private static func members(_ json: [UInt8]) -> [(name: String, isNull: Bool)] {
        var found: [(name: String, isNull: Bool)] = []
        var (depth, place) = (0, 0)
        while place < json.count {
            switch json[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let start = place + 1
                place = start
                while place < json.count, json[place] != UInt8(ascii: "\"") {
                    place += json[place] == UInt8(ascii: "\\") ? 2 : 1
                }
                if depth == 1, json[(place + 1)...].first == UInt8(ascii: ":") {
                    let name = String(decoding: json[start..<place], as: UTF8.self)
                    found.append((name, json[(place + 2)...].first == UInt8(ascii: "n")))
                }
            default: break
            }
            place += 1
        }
        return found
    }
}
