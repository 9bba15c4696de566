// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// What packed events refer to: texts, names, and the shapes of their data, each once.
///
/// Only ``PackedEvents`` being made change it, one after the other; who reads them does so afterwards.
final class PackingDictionary: @unchecked Sendable {
    /// How a value's payload is packed.
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

    /// A value's field and kind.
    struct Member: BitwiseCopyable {
        static let kindBits: UInt32 = 3

        /// As it stands in a signature.
        let code: UInt32

        init(field: UInt32, kind: Kind) { code = field << Member.kindBits | UInt32(kind.rawValue) }
        init(code: UInt32) { self.code = code }

        var field: UInt32 { code >> Member.kindBits }
        var kind: Kind { Kind(rawValue: UInt8(code & (1 << Member.kindBits - 1)))! }
    }

    /// An event's type, and the fields of its data with their kinds, in the order written.
    struct Shape: BitwiseCopyable {
        var type: UInt32
        /// Where in ``PackingDictionary/members`` the shape's are.
        var first: Int
        var end: Int

        /// How many values an event of it has.
        var count: Int { end - first }
    }

    let common = CommonTexts()
    private(set) var shapes: [Shape] = []
    private(set) var members: [Member] = []
    /// The most values that an event has.
    private(set) var widest = 0
    /// Of shape i the text i + 1: its type, then its members' codes.
    private var signatures = TextTable()

    var texts: TextTable { common.texts }

    /// How much memory it takes, about.
    var byteCount: Int {
        common.texts.byteCount + common.types.byteCount + common.fields.byteCount + members.count * 8
            + shapes.count * 64
    }

    /// The number of a shape, which is added if it is new.
    /// - Parameter signature: its type, then its members' codes.
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
