// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

extension Double {
    /// The shortest spelling that reads back the same. Whole numbers have no point: 50, 0.5; NaN is null.
    var brief: String { ExpressionLiteral.spell(self) }
}
