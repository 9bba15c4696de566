// SPDX-License-Identifier: Apache-2.0

import CEventJSON

/// Finds the error in a text that is not a JSON object. The check reuses its memory. Do not share it between threads.
package struct JSONObjectCheck {
    private let parser = JSONParser()

    package init() {}

    /// The error in a text that is not a JSON object, as a sentence with the column; nil if the text is valid. Texts of
    /// more than 16 MiB are too long.
    /// - Complexity: O(length).
    package func problem(in text: UnsafeBufferPointer<UInt8>) -> Refusal? {
        parser.parse(text)
        return parser.problem(in: text, of: .record).map { Refusal(code: $0.code, message: $0.message) }
    }
}

/// The expected kind of a text, for messages.
enum JSONTextKind: String {
    case event, record

    var withArticle: String {
        switch self {
        case .event: "an event"
        case .record: "a record"
        }
    }
}

extension JSONParser {
    /// The error in the latest text, as a sentence; nil if the text is a well-formed event or record.
    func problem(
        in text: UnsafeBufferPointer<UInt8>,
        of kind: JSONTextKind = .event
    ) -> (code: Refusal.Code, message: String)? {
        result.pointee.error == LAUREL_JSON_OK ? nil : problem(Int(result.pointee.error), text, kind)
    }

    private func problem(
        _ error: Int,
        _ text: UnsafeBufferPointer<UInt8>,
        _ kind: JSONTextKind
    ) -> (code: Refusal.Code, message: String) {
        if error == LAUREL_JSON_DUPLICATE_KEY {
            let name = shown(
                UnsafeBufferPointer(start: result.pointee.duplicate, count: Int(result.pointee.duplicate_length))
            )
            let holder = result.pointee.duplicate_in_data != 0 ? "data" : "the \(kind)"
            return (.duplicateKey, "\(holder) has the key \(name) twice; which of them counts is not defined")
        }
        if error == LAUREL_JSON_TOO_LONG {
            return (.tooLong, "the \(kind) is longer than 1 MiB")
        }
        if error == LAUREL_JSON_NO_MEMORY {
            return (.invalidJSON, "not enough memory to read this \(kind)")
        }
        return (.invalidJSON, "not valid JSON: \(JSONParser.sentence(error, kind)) \(place(in: text))")
    }

    /// The position of the error in characters, from 1, as editors count; in bytes if the text is not UTF-8.
    private func place(in text: UnsafeBufferPointer<UInt8>) -> String {
        let before = text[0..<min(Int(result.pointee.offset), text.count)]
        let lines = before.count { $0 == UInt8(ascii: "\n") }
        let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count { $0 & 0xC0 != 0x80 } + 1
        return lines == 0 ? "at column \(column)" : "in its line \(lines + 1) at column \(column)"
    }

    private static func sentence(_ error: Int, _ kind: JSONTextKind) -> String {
        switch error {
        case LAUREL_JSON_EMPTY: "there is nothing here"
        case LAUREL_JSON_NOT_UTF8: "bytes that are not UTF-8"
        case LAUREL_JSON_CONTROL_CHARACTER: "a control character in a string (write \\n, \\t or \\u0001)"
        case LAUREL_JSON_UNCLOSED_STRING: "the text ends in the middle of the string that starts"
        case LAUREL_JSON_NOT_AN_OBJECT: "\(kind.withArticle) is an object, it starts with {, unlike what stands"
        case LAUREL_JSON_ENDS_EARLY: "the text ends in the middle of a value"
        case LAUREL_JSON_EXPECTED_KEY: "a key in double quotes is missing"
        case LAUREL_JSON_EXPECTED_COLON: "a colon is missing"
        case LAUREL_JSON_EXPECTED_VALUE: "no value (text in double quotes, number, true, false, null, list or object)"
        case LAUREL_JSON_EXPECTED_COMMA: "a comma or a closing bracket is missing"
        case LAUREL_JSON_TRAILING: "something follows the end of the \(kind)"
        case LAUREL_JSON_BAD_NUMBER: "not a number"
        case LAUREL_JSON_BAD_ESCAPE: "an escape that JSON does not know"
        case LAUREL_JSON_LONE_SURROGATE: "half of a surrogate pair (an emoji cut in two?)"
        case LAUREL_JSON_TOO_DEEP: "more than \(LAUREL_JSON_MAX_DEPTH) levels of nesting"
        default: "an error"
        }
    }
}
