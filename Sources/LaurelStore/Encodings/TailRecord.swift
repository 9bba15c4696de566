// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// One event of the tail. It is not compressed, so that a small append writes little and reads nothing.
///
///     version 1 byte (2), checksum 8 bytes, then: offset (zigzag), flags (1 byte), type, source, id (texts),
///     language, session, timezone, extensions (0, or length + 1 and the text),
///     number of values; per value: field (text), kind (1 byte),
///     and: integer zigzag; double 8 bytes; text, json, spelled as the attributes
///
/// Numbers are varints, except where another encoding is named. The record's key is learner, time and sequence. The
/// checksum covers the key; in version 1 it did not.
enum TailRecord {
    struct Key {
        var learner: Int64
        var milliseconds: Int64
        var sequence: Int64
    }

    private static let version: UInt8 = 2
    private static let headerSize = 9

    static func encode(_ table: EventTable, _ row: Int, key: Key) -> [UInt8] {
        var record: [UInt8] = []
        record.reserveCapacity(128)
        record.append(version)
        record.append(word: 0)
        record.append(zigzag: Int64(table.offsets[row]))
        record.append(table.flags[row])
        record.append(text: table.types[table.type[row]])
        record.append(text: table.texts[table.source[row]])
        record.append(text: table.identifier(row))
        for attribute in [table.language[row], table.session[row], table.timezone[row], table.extensions[row]] {
            append(attribute, table, to: &record)
        }
        let values = table.values(of: row)
        record.append(varint: values.count)
        for value in values {
            record.append(text: table.fields[value.field])
            record.append(value.kind.rawValue)
            switch value.kind {
            case .null, .no, .yes: break
            case .integer: record.append(zigzag: Int64(bitPattern: value.payload))
            case .double: record.append(word: value.payload)
            case .text, .json, .spelled: append(UInt32(truncatingIfNeeded: value.payload), table, to: &record)
            }
        }
        record.withUnsafeMutableBytes { record in
            let checksum = checksum(UnsafeRawBufferPointer(rebasing: record[headerSize...]), key)
            record.storeBytes(of: checksum.littleEndian, toByteOffset: 1, as: UInt64.self)
        }
        return record
    }

    private static func checksum(_ content: UnsafeRawBufferPointer, _ key: Key) -> UInt64 {
        Checksum.of(content, key: (key.learner, key.milliseconds, key.sequence))
    }

    private static func checksum(_ content: UnsafeRawBufferPointer, version: UInt8, _ key: Key) throws -> UInt64 {
        switch version {
        case 1: TextTable.hash(content.assumingMemoryBound(to: UInt8.self))
        case TailRecord.version: checksum(content, key)
        default: throw Corruption("its format version is \(version)")
        }
    }

    private static func append(_ index: UInt32, _ table: EventTable, to record: inout [UInt8]) {
        guard index != 0 else { return record.append(0) }
        let text = table.texts[index]
        record.append(varint: text.count + 1)
        record.append(contentsOf: text)
    }

    static func decode(
        _ record: UnsafeRawBufferPointer,
        key: Key,
        subject: UInt32,
        into table: inout EventTable
    ) throws {
        var reader = ByteReader(record)
        let version = try reader.byte()
        let stored = try reader.word()
        let rest = UnsafeRawBufferPointer(rebasing: record[reader.position...])
        guard try checksum(rest, version: version, key) == stored else {
            throw Corruption("its checksum does not match")
        }
        guard Timestamp.range.contains(key.milliseconds) else { throw Corruption("\(key.milliseconds) is no time") }
        guard let offset = Int16(exactly: try reader.zigzag()) else { throw Corruption("an offset is out of range") }
        let flags = try reader.byte()
        let type = table.intern(type: try reader.text())
        let source = table.intern(text: try reader.text())
        let identifier = table.identifier(try reader.text())
        var row = EventTable.Row(
            milliseconds: key.milliseconds,
            offset: offset,
            flags: flags,
            type: type,
            subject: subject,
            source: source,
            identifier: identifier
        )
        row.language = try optionalText(&reader, &table)
        row.session = try optionalText(&reader, &table)
        row.timezone = try optionalText(&reader, &table)
        row.extensions = try optionalText(&reader, &table)
        for _ in 0..<(try reader.count(limit: reader.remaining)) {
            table.append(value: try value(&reader, &table))
        }
        table.append(row)
    }

    private static func value(_ reader: inout ByteReader, _ table: inout EventTable) throws -> EventValue {
        let field = table.intern(field: try reader.text())
        guard let kind = EventValue.Kind(rawValue: try reader.byte()) else {
            throw Corruption("a value of an unknown kind")
        }
        var value = EventValue(field: field, kind: kind)
        switch kind {
        case .null, .no, .yes: break
        case .integer: value.payload = UInt64(bitPattern: try reader.zigzag())
        case .double:
            value.payload = try reader.word()
            guard Double(bitPattern: value.payload).isFinite else { throw Corruption("a number that is none") }
        case .text, .json, .spelled: value.payload = UInt64(try optionalText(&reader, &table))
        }
        return value
    }

    private static func optionalText(_ reader: inout ByteReader, _ table: inout EventTable) throws -> UInt32 {
        let count = try reader.count(limit: reader.bytes.count)
        guard count > 0 else { return 0 }
        return table.intern(text: try reader.take(count - 1).assumingMemoryBound(to: UInt8.self))
    }
}
