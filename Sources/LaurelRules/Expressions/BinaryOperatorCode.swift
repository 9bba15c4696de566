// SPDX-License-Identifier: Apache-2.0

extension BinaryOperator {
    /// The opcode of the operator for numbers and booleans.
    var opcode: Opcode {
        switch self {
        case .or: .or
        case .and: .and
        case .equal: .equal
        case .notEqual: .notEqual
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        case .add: .add
        case .subtract: .subtract
        case .multiply: .multiply
        case .divide: .divide
        case .remainder: .remainder
        }
    }

    /// The opcode of the operator for text. Only comparisons have such an opcode.
    var textOpcode: Opcode {
        switch self {
        case .equal: .equalText
        case .notEqual: .notEqualText
        case .less: .lessText
        case .lessOrEqual: .lessOrEqualText
        case .greater: .greaterText
        default: .greaterOrEqualText
        }
    }

    var isOrder: Bool {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual: true
        default: false
        }
    }
}
