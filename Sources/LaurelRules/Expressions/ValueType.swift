// SPDX-License-Identifier: Apache-2.0

/// The static type of an expression. Every value may be null besides.
package enum ValueType: String, Sendable, Hashable {
    case number, text, boolean
    /// Only the literal null, and what is made of nothing else.
    case null

    /// "a number": for messages.
    var phrase: String {
        switch self {
        case .number: "a number"
        case .text: "text"
        case .boolean: "true or false"
        case .null: "null"
        }
    }
}
