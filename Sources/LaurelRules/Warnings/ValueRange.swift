// SPDX-License-Identifier: Apache-2.0

/// The possible values of an expression, as far as they can be proved. Every possible value is included. Values that
/// are impossible may be included, too.
struct ValueRange: Equatable {
    enum Content: Equatable {
        /// No value except null.
        case nothing
        case numbers(NumberRange)
        /// Only these texts; nil for any text.
        case texts([String]?)
        case booleans(canBeTrue: Bool, canBeFalse: Bool)
    }

    var content: Content
    var mayBeNull: Bool

    static let null = ValueRange(content: .nothing, mayBeNull: true)
    static let condition = ValueRange(content: .booleans(canBeTrue: true, canBeFalse: true), mayBeNull: true)

    static func number(_ range: NumberRange, orNull mayBeNull: Bool = false) -> ValueRange {
        ValueRange(content: .numbers(range), mayBeNull: mayBeNull)
    }

    static func truth(_ canBeTrue: Bool, _ canBeFalse: Bool, orNull mayBeNull: Bool = false) -> ValueRange {
        guard canBeTrue || canBeFalse else { return .null }
        return ValueRange(content: .booleans(canBeTrue: canBeTrue, canBeFalse: canBeFalse), mayBeNull: mayBeNull)
    }

    static func any(_ type: ValueType) -> ValueRange {
        switch type {
        case .number: .number(.any, orNull: true)
        case .text: ValueRange(content: .texts(nil), mayBeNull: true)
        case .boolean: .condition
        case .null: .null
        }
    }

    var numbers: NumberRange? { if case .numbers(let range) = content { range } else { nil } }
    var isNothing: Bool { content == .nothing }
    var canBeTrue: Bool { if case .booleans(let canBeTrue, _) = content { canBeTrue } else { false } }
    var canBeFalse: Bool { if case .booleans(_, let canBeFalse) = content { canBeFalse } else { false } }
    var isAlwaysTrue: Bool { canBeTrue && !canBeFalse && !mayBeNull }

    func orNull(_ mayBeNull: Bool = true) -> ValueRange {
        ValueRange(content: content, mayBeNull: self.mayBeNull || mayBeNull)
    }

    /// The smallest value range that includes both.
    func hull(_ other: ValueRange) -> ValueRange {
        let mayBeNull = mayBeNull || other.mayBeNull
        switch (content, other.content) {
        case (.nothing, let rest), (let rest, .nothing): return ValueRange(content: rest, mayBeNull: mayBeNull)
        case (.numbers(let one), .numbers(let two)): return .number(one.hull(two), orNull: mayBeNull)
        case (.booleans(let trueOne, let falseOne), .booleans(let trueTwo, let falseTwo)):
            return .truth(trueOne || trueTwo, falseOne || falseTwo, orNull: mayBeNull)
        case (.texts(let one?), .texts(let two?)):
            return ValueRange(content: .texts(one + two.filter { !one.contains($0) }), mayBeNull: mayBeNull)
        default: return ValueRange(content: .texts(nil), mayBeNull: mayBeNull)
        }
    }

    /// The possible values in messages: "from 0 to 1", "solo, host or client" or "never null"; nil if nothing is known.
    var phrase: String? {
        switch content {
        case .nothing: "always null"
        case .numbers(let range): range.phrase
        case .texts(let texts): texts.map { Self.list($0, "or") }
        case .booleans: nil
        }
    }

    static func list(_ items: [String], _ conjunction: String) -> String {
        items.count < 2
            ? items.joined() : items.dropLast().joined(separator: ", ") + " \(conjunction) " + items.last!
    }
}
