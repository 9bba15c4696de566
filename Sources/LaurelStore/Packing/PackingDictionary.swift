// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The texts, names and shapes that packed events refer to, each stored once.
///
/// One thread at a time may create ``PackedEvents``, which adds to the dictionary. Other threads may read only after
/// that.
final class PackingDictionary: @unchecked Sendable {
    /// The encodings of a value's payload.
    enum Kind: UInt8 {
        case null, boolean, integer, double, text, json, spelled

        init(_ kind: EventValue.Kind) {
            switch kind {
            case .null: self = .null
            case .no, .yes: self = .boolean
            case .integer: self = .integer
            case .double: self = .double
            case .text: self = .text
            case .json: self = .json
            case .spelled: self = .spelled
            }
        }
    }

    /// The field of a value, and its kind.
    struct Member: BitwiseCopyable {
        static let kindBits: UInt32 = 3

        /// The field and the kind as one number, for signatures.
        let code: UInt32

        init(field: UInt32, kind: Kind) { code = field << Member.kindBits | UInt32(kind.rawValue) }
        init(code: UInt32) { self.code = code }

        var field: UInt32 { code >> Member.kindBits }
        var kind: Kind { Kind(rawValue: UInt8(code & (1 << Member.kindBits - 1)))! }
    }

    /// An event's type, and the fields of its data with their kinds, in the written order.
    struct Shape: BitwiseCopyable {
        var type: UInt32
        /// The index of the shape's first member in ``PackingDictionary/members``.
        var first: Int
        var end: Int

        /// The number of values in an event of this shape.
        var count: Int { end - first }
    }

    let common = CommonTexts()
    private(set) var shapes: [Shape] = []
    private(set) var members: [Member] = []
    /// The maximum number of values in a shape so far.
    private(set) var widest = 0
    /// The signatures of the shapes. Text i + 1 contains the type and the member codes of shape i.
    private var signatures = TextTable()

    var texts: TextTable { common.texts }

    /// The approximate memory of the dictionary in bytes.
    var byteCount: Int {
        common.texts.byteCount + common.types.byteCount + common.fields.byteCount + members.count * 8
            + shapes.count * 64
    }

    /// Returns the number of a shape, and adds the shape if it is new.
    /// - Parameter signature: the type, followed by the codes of the members.
    func shape(_ signature: [UInt32]) -> Int {
        let number = signature.withUnsafeBytes { Int(signatures.intern($0.assumingMemoryBound(to: UInt8.self))) - 1 }
        guard number == shapes.count else { return number }
        let first = members.count
        members += signature.dropFirst().map(Member.init(code:))
        shapes.append(Shape(type: signature[0], first: first, end: members.count))
        widest = max(widest, shapes[number].count)
        return number
    }
}
