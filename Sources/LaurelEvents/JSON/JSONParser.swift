// SPDX-License-Identifier: Apache-2.0

import CEventJSON
import LaurelSystem

/// Parses JSON objects one after another, in memory that is reused. A result is valid until the next parse. Do not
/// share the parser between threads.
final class JSONParser {
    private let handle: OpaquePointer
    private let results = UnsafeMutablePointer<laurel_json_result>.allocate(capacity: 1)

    init() {
        guard let handle = laurel_json_create() else { fatalError("out of memory") }
        self.handle = handle
        results.initialize(to: laurel_json_result())
    }

    deinit {
        laurel_json_destroy(handle)
        results.deallocate()
    }

    @inline(__always)
    var result: UnsafePointer<laurel_json_result> { UnsafePointer(results) }

    /// - Complexity: O(length).
    @inline(__always)
    func parse(_ text: UnsafeBufferPointer<UInt8>) {
        laurel_json_parse(handle, text.baseAddress, text.count, results)
    }

    /// The attributes of the event, in the order written; after an error, the attributes before it.
    @inline(__always)
    var members: UnsafeBufferPointer<JSONMember> {
        UnsafeBufferPointer(start: results.pointee.members, count: Int(results.pointee.member_count))
    }

    /// The members of `data`.
    @inline(__always)
    var data: UnsafeBufferPointer<JSONMember> {
        UnsafeBufferPointer(start: results.pointee.data, count: Int(results.pointee.data_count))
    }
}

typealias JSONMember = laurel_json_member

extension JSONMember {
    enum Kind: UInt8 {
        case null, no, yes, integer, double, spelled, string, array, object
    }

    /// The kind of value. The parser writes no other kinds than these.
    @inline(__always)
    var type: Kind { unsafeBitCast(kind, to: Kind.self) }

    @inline(__always)
    var keyBytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: key, count: Int(key_length)) }

    @inline(__always)
    var textBytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: text, count: Int(text_length)) }

    @inline(__always)
    var rawKeyBytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: raw_key, count: Int(raw_key_length)) }

    @inline(__always)
    var rawBytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: raw, count: Int(raw_length)) }
}

extension UnsafeBufferPointer<UInt8> {
    @inline(__always)
    func isEqual(to other: StaticString) -> Bool {
        count == other.utf8CodeUnitCount && isSameBytes(as: other.utf8Start)
    }

    @inline(__always)
    func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
        count == other.count && (count == 0 || isSameBytes(as: other.baseAddress!))
    }

    /// True if the bytes are equal. Names and ids are short: up to 32 bytes are compared as overlapping words, without
    /// a function call.
    @inline(__always)
    func isSameBytes(as other: UnsafePointer<UInt8>) -> Bool {
        let (one, two) = (UnsafeRawPointer(baseAddress!), UnsafeRawPointer(other))
        func difference<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type, _ offset: Int) -> Word {
            one.loadUnaligned(fromByteOffset: offset, as: type) ^ two.loadUnaligned(fromByteOffset: offset, as: type)
        }
        func same<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type, _ last: Int) -> Bool {
            difference(type, 0) | difference(type, last) == 0
        }
        switch count {
        case 8...16: return same(UInt64.self, count - 8)
        case 4...7: return same(UInt32.self, count - 4)
        case 17...32:
            return same(UInt64.self, 8) && difference(UInt64.self, count - 16) | difference(UInt64.self, count - 8) == 0
        case 2...3: return same(UInt16.self, count - 2)
        case 1: return self[0] == other[0]
        default: return memcmp(one, two, count) == 0
        }
    }
}
