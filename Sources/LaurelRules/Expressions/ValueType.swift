// SPDX-License-Identifier: Apache-2.0

/// The static type of an expression. Every value may also be null.
package enum ValueType: String, Sendable, Hashable {
    case number, text, boolean
    /// The type of the literal null, and of expressions that contain only null.
    case null

    /// The type in messages, such as "a number".
    var phrase: String {
        switch self {
        case .number: "a number"
        case .text: "text"
        case .boolean: "true or false"
        case .null: "null"
        }
    }
}
