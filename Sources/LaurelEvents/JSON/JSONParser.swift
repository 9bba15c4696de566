import Glibc
import CSimdjson

/// Takes JSON objects apart, one after the other, in memory that is used again.
///
/// Not to be shared between threads: a result is valid until the next parse.
final class JSONParser {
    private let handle: OpaquePointer
    private(set) var result = laurel_json_result()

    init() {
        guard let handle = laurel_json_create() else { fatalError("out of memory") }
        self.handle = handle
    }

    deinit { laurel_json_destroy(handle) }

    /// - Complexity: O(length).
    @inline(__always)
    func parse(_ text: UnsafeBufferPointer<UInt8>) {
        laurel_json_parse(handle, text.baseAddress, text.count, &result)
    }

    /// The attributes of the event, in the order written; after an error, those that stand before it.
    @inline(__always)
    var members: UnsafeBufferPointer<JSONMember> {
        UnsafeBufferPointer(start: result.members, count: Int(result.member_count))
    }

    /// The members of `data`.
    @inline(__always)
    var data: UnsafeBufferPointer<JSONMember> {
        UnsafeBufferPointer(start: result.data, count: Int(result.data_count))
    }
}

typealias JSONMember = laurel_json_member

extension JSONMember {
    enum Kind: UInt8 {
        case null, no, yes, integer, double, spelled, string, array, object
    }

    @inline(__always)
    var type: Kind { Kind(rawValue: kind)! }

    @inline(__always)
    var keyBytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: key, count: Int(key_length)) }

    @inline(__always)
    var textBytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: text, count: Int(text_length)) }

    @inline(__always)
    var rawKeyBytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: raw_key, count: Int(raw_key_length)) }

    @inline(__always)
    var rawBytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: raw, count: Int(raw_length)) }

    var isNumber: Bool { type == .integer || type == .double || type == .spelled }
}

extension UnsafeBufferPointer<UInt8> {
    @inline(__always)
    func isEqual(to other: StaticString) -> Bool {
        count == other.utf8CodeUnitCount && (count == 0 || memcmp(baseAddress!, other.utf8Start, count) == 0)
    }

    @inline(__always)
    func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
        count == other.count && (count == 0 || memcmp(baseAddress!, other.baseAddress!, count) == 0)
    }
}
