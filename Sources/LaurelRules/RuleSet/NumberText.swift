// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

extension Double {
    /// The shortest text that is read back as the same number: `50`, `0.5`. NaN is written as `null`.
    var brief: String { ExpressionLiteral.spell(self) }
}
