// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

extension JSONValue {
    static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    /// A number in JSON. A whole number is written without a fraction.
    static func number(_ value: Double) -> JSONValue { Int64(exactly: value).map(JSONValue.integer) ?? .double(value) }
}
