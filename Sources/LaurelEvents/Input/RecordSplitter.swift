// SPDX-License-Identifier: Apache-2.0

import LaurelSystem

/// A part of a batch's bytes.
package struct InputRecord: Sendable, Equatable {
    package enum Part: UInt8, Sendable {
        case whole
        /// The beginning, a middle part, or the end of a record longer than ``Limits/event``. The end may be empty.
        case begin, piece, end
    }

    /// The line on which the record starts, from 1.
    package var line: Int
    package var range: Range<Int>
    package var part: Part
}

/// The way in which an input is split into records.
package enum InputShape: Sendable, Equatable {
    /// JSON: one event per line, or the elements of a JSON array, which may have several lines.
    case events
    /// A table as in RFC 4180, with any separator: one record per line, except for line breaks in quotes.
    case separated(by: UInt8)

    /// CSV with commas.
    package static let csv = InputShape.separated(by: UInt8(ascii: ","))
}

/// Splits bytes into records. It does no input itself. After each call, the caller keeps the bytes that were not
/// consumed, and passes them again with more bytes after them.
struct RecordSplitter {
    private enum State {
        /// Before the first record, or after a JSON array.
        case start
        case line
        /// Between the elements of a JSON array.
        case list
        /// Within an element of a JSON array. `nested` is in arrays or objects, with their depth. `nestedString` is
        /// in a string at that depth. `string` and `scalar` are in an element that is a string or another value.
        case nested(Int), nestedString(Int), string, scalar
        /// Within a CSV record: outside quotes, inside quotes, or after a quote. Such a quote ends the field, or is the
        /// first of two.
        case csv, csvQuoted, csvQuote
    }

    private var line = 1
    private(set) var records: [InputRecord] = []

    private var state: State
    /// The byte between two fields of a table; nil for JSON.
    private let separator: UInt8?
    private let limit: Int
    /// The line on which the current record starts.
    private var recordLine = 1
    /// The start of the current record in the buffer, and the position of the search for its end.
    private var start = 0
    private var position = 0
    private var isOversized = false
    private var atInputStart = true
    /// True if the previous byte was a backslash in a string.
    private var isEscaped = false
    /// True if a CSV field starts here.
    private var atFieldStart = true

    init(shape: InputShape, limit: Int = Limits.event) {
        self.limit = limit
        if case .separated(let separator) = shape { self.separator = separator } else { separator = nil }
        state = separator == nil ? .start : .csv
    }

    /// True if the input so far ends inside a JSON array.
    var isInList: Bool {
        switch state {
        case .start, .line, .csv, .csvQuoted, .csvQuote: false
        default: true
        }
    }

    /// Searches a buffer that starts with the bytes left over by the previous call. Afterwards, `records` contains the
    /// records of the buffer.
    /// - Returns: the number of bytes consumed.
    mutating func split(_ buffer: UnsafeBufferPointer<UInt8>, isLast: Bool) -> Int {
        records.removeAll(keepingCapacity: true)
        if atInputStart {
            guard buffer.count >= 3 || isLast else { return 0 }
            atInputStart = false
            if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { (start, position) = (3, 3) }
        }
        while position < buffer.count { step(buffer) }
        if isLast { finish(buffer) }
        return release(buffer)
    }

    private mutating func step(_ buffer: UnsafeBufferPointer<UInt8>) {
        switch state {
        case .start: stepStart(buffer)
        case .line: stepLine(buffer)
        case .list: stepList(buffer)
        case .nested(let depth): stepNested(buffer, depth)
        case .nestedString(let depth): stepString(buffer, .nested(depth))
        case .string: stepString(buffer, nil)
        case .scalar: stepScalar(buffer)
        case .csv: stepCSV(buffer)
        case .csvQuoted: stepQuoted(buffer)
        case .csvQuote: stepQuote(buffer)
        }
    }

    /// Emits a part of a record that is too long for the buffer. Returns the number of bytes consumed.
    private mutating func release(_ buffer: UnsafeBufferPointer<UInt8>) -> Int {
        var end = position
        if isOversized || position - start > limit {
            // The carriage return may be part of the line end.
            if end > start, buffer[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            if end > start {
                records.append(InputRecord(line: recordLine, range: start..<end, part: isOversized ? .piece : .begin))
                isOversized = true
                start = end
            }
        }
        let done = start
        position -= done
        start = 0
        return done
    }

    /// Ends the current record.
    private mutating func emit(upTo end: Int, next: Int) {
        if isOversized {
            records.append(InputRecord(line: recordLine, range: start..<end, part: .end))
        } else if end - start > limit {
            records.append(InputRecord(line: recordLine, range: start..<end, part: .begin))
            records.append(InputRecord(line: recordLine, range: end..<end, part: .end))
        } else {
            records.append(InputRecord(line: recordLine, range: start..<end, part: .whole))
        }
        isOversized = false
        skip(to: next)
    }

    private mutating func skip(to next: Int) {
        start = next
        position = next
    }

    private mutating func finish(_ buffer: UnsafeBufferPointer<UInt8>) {
        switch state {
        case .start, .list: break
        case .line, .csv, .csvQuoted, .csvQuote:
            if position > start || isOversized { endLine(buffer, at: position, next: position) }
        case .nested, .nestedString, .string, .scalar:
            emit(upTo: position, next: position)
            state = .list
        }
        start = position
    }
}

// MARK: Lines

extension RecordSplitter {
    private mutating func stepStart(_ buffer: UnsafeBufferPointer<UInt8>) {
        switch buffer[position] {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
            // The white space may be the indentation of the first line, which must not be lost.
            position += 1
            if position - start > limit { state = .line }
        case UInt8(ascii: "\n"):
            line += 1
            skip(to: position + 1)
        case UInt8(ascii: "["):
            state = .list
            skip(to: position + 1)
        default:
            state = .line
            recordLine = line
        }
    }

    private mutating func stepLine(_ buffer: UnsafeBufferPointer<UInt8>) {
        while let end = buffer.firstIndex(of: UInt8(ascii: "\n"), from: position) {
            // The usual case: a line that is not blank, not too long, and has no spaces or carriage return at its end.
            if !isOversized, start < end, end - start <= limit, buffer[start] > 0x20, buffer[end - 1] > 0x20 {
                records.append(InputRecord(line: recordLine, range: start..<end, part: .whole))
                skip(to: end + 1)
            } else {
                endLine(buffer, at: end, next: end + 1)
            }
            line += 1
            recordLine = line
        }
        position = buffer.count
    }

    /// Ends a record at a line end, which is not part of the record. A blank line is not a record.
    private mutating func endLine(_ buffer: UnsafeBufferPointer<UInt8>, at end: Int, next: Int) {
        var end = end
        if end > start, buffer[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        let isBlank = !isOversized && buffer[start..<end].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        if isBlank {
            skip(to: next)
        } else {
            emit(upTo: end, next: next)
        }
    }

    private mutating func stepCSV(_ buffer: UnsafeBufferPointer<UInt8>) {
        if position == start, !isOversized { recordLine = line }
        let byte = buffer[position]
        if byte == UInt8(ascii: "\n") {
            line += 1
            atFieldStart = true
            endLine(buffer, at: position, next: position + 1)
            return
        }
        if byte == UInt8(ascii: "\""), atFieldStart { state = .csvQuoted }
        atFieldStart = byte == separator
        position += 1
    }

    private mutating func stepQuoted(_ buffer: UnsafeBufferPointer<UInt8>) {
        if buffer[position] == UInt8(ascii: "\"") { state = .csvQuote }
        if buffer[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    private mutating func stepQuote(_ buffer: UnsafeBufferPointer<UInt8>) {
        if buffer[position] == UInt8(ascii: "\"") {
            state = .csvQuoted
            position += 1
        } else {
            state = .csv
        }
    }
}

// MARK: JSON arrays

extension RecordSplitter {
    /// Reads bytes between elements. Commas are skipped, so that a missing or doubled comma loses no event.
    private mutating func stepList(_ buffer: UnsafeBufferPointer<UInt8>) {
        let byte = buffer[position]
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: ","):
            skip(to: position + 1)
        case UInt8(ascii: "\n"):
            line += 1
            skip(to: position + 1)
        case UInt8(ascii: "]"):
            state = .start
            skip(to: position + 1)
        default:
            recordLine = line
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): state = .nested(1)
            case UInt8(ascii: "\""): state = .string
            default: state = .scalar
            }
            position += 1
        }
    }

    private mutating func stepNested(_ buffer: UnsafeBufferPointer<UInt8>, _ level: Int) {
        var depth = level
        while position < buffer.count {
            let byte = buffer[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                state = .nestedString(depth)
                return
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 {
                    state = .list
                    emit(upTo: position, next: position)
                    return
                }
            case UInt8(ascii: "\n"): line += 1
            default: break
            }
        }
        state = .nested(depth)
    }

    /// Reads bytes in a string. `outer` is the state after the string; nil if the string itself is an element.
    private mutating func stepString(_ buffer: UnsafeBufferPointer<UInt8>, _ outer: State?) {
        while position < buffer.count {
            let byte = buffer[position]
            if byte == UInt8(ascii: "\n") {
                // A JSON string cannot contain a line break, so the element is broken. Reading starts again at the next
                // line.
                isEscaped = false
                state = .start
                line += 1
                emit(upTo: position, next: position + 1)
                return
            }
            position += 1
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                state = outer ?? .list
                if outer == nil { emit(upTo: position, next: position) }
                return
            }
        }
    }

    private mutating func stepScalar(_ buffer: UnsafeBufferPointer<UInt8>) {
        while position < buffer.count {
            switch buffer[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: ","),
                UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
                state = .list
                emit(upTo: position, next: position)
                return
            default: position += 1
            }
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// - Complexity: O(distance), many bytes at a time.
    fileprivate func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let found = memchr(baseAddress! + start, Int32(byte), count - start) else { return nil }
        return found - UnsafeMutableRawPointer(mutating: baseAddress!)
    }
}
