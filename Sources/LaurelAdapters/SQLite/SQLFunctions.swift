// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

extension SQLFunction {
    /// THE list of functions that mappings can use in addition to SQLite's own.
    static let all: [SQLFunction] = times + identities + texts + lists + files
}

// MARK: Times

extension SQLFunction {
    /// 2001-01-01T00:00:00Z in seconds since 1970. Core Data counts times from that instant.
    private static let referenceDate = 978_307_200.0

    private static let times: [SQLFunction] = [
        SQLFunction("coredata_time(seconds)", 1...1, "a Core Data date (seconds since 2001) as RFC 3339") {
            time($0[0], milliseconds: { ($0 + referenceDate) * 1000 })
        },
        SQLFunction("unix_time(seconds)", 1...1, "seconds since 1970 as RFC 3339") {
            time($0[0], milliseconds: { $0 * 1000 })
        },
        SQLFunction(
            "unix_time_ms(milliseconds[, offset])",
            1...2,
            "milliseconds since 1970 as an RFC 3339 time, with an offset from UTC in seconds"
        ) { values in
            time(values[0], offset: values.count > 1 ? values[1].number : nil, milliseconds: { $0 })
        },
        SQLFunction("millis(time)", 1...1, "milliseconds since 1970 of an RFC 3339 time; null for other texts") {
            instant($0[0]).map { .integer($0.milliseconds) } ?? .null
        },
        SQLFunction(
            "epoch_millis(number)",
            1...1,
            "milliseconds since 1970 of a date kept as those, as seconds since 1970, or as seconds since 2001"
        ) {
            guard let number = $0[0].number, number.isFinite else { return $0[0] }
            // Limits to guess the unit of a number. As seconds since 2001, `unixSeconds` is in the year 2039. As
            // milliseconds since 1970, `unixMillis` is in the year 1973.
            let (unixSeconds, unixMillis) = (1.2e9, 1e11)
            let millis =
                number >= unixMillis ? number : (number >= unixSeconds ? number : number + referenceDate) * 1000
            return .integer(Int64(clamping: Int(min(max(millis.rounded(), -1e15), 1e15))))
        },
        SQLFunction("local_date(time, zone)", 2...2, "the date of an RFC 3339 time in an IANA zone (null: UTC)") {
            guard let instant = instant($0[0]), let zone = zone($0[1]) else { return .null }
            let local = instant.milliseconds + Int64(zone.offsetSeconds(at: instant.milliseconds)) * 1000
            return .string(LocalDay(containing: local).description)
        },
        SQLFunction("local_noon(date, zone)", 2...2, "12:00 of a date in an IANA zone (null: UTC) as RFC 3339") {
            guard let day = $0[0].bytes.flatMap({ LocalDay(parsing: $0) }), let zone = zone($0[1]) else { return .null }
            let noon = Int64(day.number) * 86_400_000 + 43_200_000
            return .string(Timestamp.utc(noon - Int64(zone.offsetSeconds(at: noon)) * 1000))
        },
        SQLFunction(
            "local_time(text, pattern, zone)",
            3...3,
            "a wall-clock time in an IANA zone (null: UTC) as RFC 3339; of two equal times the first counts, and a "
                + "skipped time has the offset before the change; `%d.%m.%Y %H:%M` is a pattern; without `%H`, noon"
        ) { values in
            guard let text = values[0].bytes, let pattern = values[1].bytes, let zone = zone(values[2]),
                let wall = WallTime(text, pattern: pattern)
            else { return values[0] }
            let instant = zone.instant(ofWallClock: wall.milliseconds)
            guard Timestamp.range.contains(instant) else { return values[0] }
            let minutes = Int16(zone.offsetSeconds(at: instant) / 60)
            let offset = values[2] == .null ? WrittenOffset.zulu : .minutes(minutes)
            return .string(Timestamp(milliseconds: instant, offset: offset).description)
        },
    ]

    /// A time as text. An invalid value is returned unchanged, so that the event's check reports it.
    private static func time(
        _ value: SQLValue,
        offset: Double? = nil,
        milliseconds: (Double) -> Double
    ) -> SQLValue {
        guard let number = value.number, number.isFinite else { return value }
        let rounded = milliseconds(number).rounded()
        guard rounded >= 0, rounded <= Double(Timestamp.latest.milliseconds) else { return value }
        let written = offset.flatMap { Int16(exactly: ($0 / 60).rounded()) }.map { WrittenOffset.minutes($0) }
        return .string(Timestamp(milliseconds: Int64(rounded), offset: written ?? .zulu).description)
    }

    private static func instant(_ value: SQLValue) -> Timestamp? {
        value.bytes.flatMap { $0.withUnsafeBufferPointer { try? Timestamp(parsing: $0) } }
    }

    private static func zone(_ value: SQLValue) -> TimeZone? {
        TimeZoneDatabase.shared.zone(named: value.bytes.map { String(decoding: $0, as: UTF8.self) } ?? "UTC")
    }
}

// MARK: Identities

extension SQLFunction {
    private static let identities: [SQLFunction] = [
        SQLFunction("uuid(blob)", 1...1, "a UUID of 16 bytes in its usual spelling; a text stays as it is") {
            guard case .blob(let bytes) = $0[0], bytes.count == 16 else { return $0[0] }
            var text = ""
            for (index, byte) in bytes.enumerated() {
                if [4, 6, 8, 10].contains(index) { text += "-" }
                text += [byte].hexadecimal.uppercased()
            }
            return .string(text)
        },
        SQLFunction(
            "key(part, …)",
            1...100,
            "the parts joined by hyphens, for an id; what is too long for one ends in a digest"
        ) {
            let text = Array($0.map { $0.bytes ?? [] }.joined(separator: [UInt8(ascii: "-")]))
            guard text.count > longestKey else { return .text(text) }
            var start = String(decoding: text.prefix(longestKey - 33), as: UTF8.self)
            // A character that was cut in two is removed.
            while start.last == "\u{FFFD}" { start.removeLast() }
            return .string("\(start)-\(digest([.text(text)]))")
        },
        SQLFunction("digest(value, …)", 1...100, "32 hexadecimal digits that differ wherever the values do") {
            .string(digest($0))
        },
        SQLFunction("canonical(json)", 1...1, "JSON with keys in order and numbers in one spelling") {
            guard let text = $0[0].bytes, let tree = JSONTree(validated: text) else { return $0[0] }
            return .text(tree.canonical)
        },
    ]

    /// The maximum length of a key in bytes. An id has at most 128 bytes, and mappings may append text to a key.
    private static let longestKey = 96

    private static func digest(_ values: [SQLValue]) -> String {
        var hash = SHA256()
        for value in values {
            // With the length, ("a", "bc") and ("ab", "c") give different keys. A length of −1 distinguishes null from
            // an empty text.
            let bytes = value.bytes
            hash.update(Array("\(bytes?.count ?? -1):".utf8) + (bytes ?? []))
        }
        return hash.finish().prefix(16).hexadecimal
    }
}

// MARK: The current file

extension SQLFunction {
    private static let files: [SQLFunction] = [
        SQLFunction(
            "coredata_links(entity, relationship)",
            2...2,
            "the rows that a Core Data entity's many-to-many relationship joins, as a JSON list of [its row, the other row]",
            reading: { values, database in
                guard let entity = values[0].bytes, let relationship = values[1].bytes else { return .null }
                let name = String(decoding: relationship, as: UTF8.self).uppercased()
                let links = try? CoreDataLinks.pairs(String(decoding: entity, as: UTF8.self), name, in: database)
                return links ?? .string("[]")
            }
        ),
        SQLFunction(
            "change_counter()",
            0...0,
            "the database file's count of changes; with a write-ahead log, some changes are not counted",
            reading: { _, database in .integer(database.changeCounter) }
        ),
    ]
}

// MARK: Texts and lists

extension SQLFunction {
    private static let texts: [SQLFunction] = [
        SQLFunction(
            "plain_text(html)",
            1...1,
            "what HTML says, as text on one line, without ruby's readings, Anki's cloze marks and media"
        ) {
            guard let text = $0[0].bytes else { return .null }
            return .string(PlainText.of(String(decoding: text, as: UTF8.self)))
        },
        SQLFunction(
            "decimal(text[, sign])",
            1...2,
            "the number in a text such as `1.234,5`; the sign is the decimal comma or point (`.` if not given)"
        ) { values in
            guard let text = values[0].bytes, let sign = values.count > 1 ? values[1].bytes : [UInt8(ascii: ".")]
            else { return values[0] }
            return DecimalText(text, sign: sign).map { .real($0.value) } ?? values[0]
        },
        SQLFunction("part(text, separator, n)", 3...3, "the nth part of a text, from 1; null if there are fewer") {
            guard let parts = parts($0[0], $0[1]), let number = $0[2].number, let n = Int(exactly: number),
                parts.indices.contains(n - 1)
            else { return .null }
            return .text(Array(parts[n - 1]))
        },
    ]

    private static let lists: [SQLFunction] = [
        SQLFunction("list(text, separator)", 2...2, "the parts of a text that are not empty, as a JSON list") {
            guard let parts = parts($0[0], $0[1])?.filter({ !$0.isEmpty }), !parts.isEmpty else { return .null }
            return json(.array(parts.map { .string(Array($0)) }))
        },
        SQLFunction("numbers(n)", 1...1, "the JSON list 1, 2, … n; at most 36500 of them") {
            guard let number = $0[0].number, number >= 1 else { return .string("[]") }
            return json(.array((1...Int(min(number, 36_500))).map { .integer(Int64($0)) }))
        },
        SQLFunction("objects(json, key, …)", 2...100, "all objects within that have these keys, as a JSON list") {
            guard let text = $0[0].bytes, let tree = JSONTree(validated: text) else { return .string("[]") }
            var found: [JSONTree] = []
            collect(from: tree, $0.dropFirst().map { $0.bytes ?? [] }, &found)
            return json(.array(found))
        },
    ]

    private static func parts(_ text: SQLValue, _ separator: SQLValue) -> [ArraySlice<UInt8>]? {
        guard let text = text.bytes, let separator = separator.bytes?.first else { return nil }
        return text.split(separator: separator, omittingEmptySubsequences: false)
    }

    private static func json(_ tree: JSONTree) -> SQLValue {
        var output: [UInt8] = []
        tree.write(to: &output)
        return .text(output)
    }

    /// Collects the values of some keys. The recursion is limited, because the JSON reader limits the depth.
    private static func collect(from tree: JSONTree, _ keys: [[UInt8]], _ found: inout [JSONTree]) {
        switch tree {
        case .array(let elements):
            for element in elements { collect(from: element, keys, &found) }
        case .object(let members):
            if keys.allSatisfy({ key in members.contains { $0.key == key } }) { found.append(tree) }
            for member in members { collect(from: member.value, keys, &found) }
        default: break
        }
    }
}
