// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

extension Double {
    /// The shortest spelling that reads back the same, whole numbers without a point: 50, 0.5, null for NaN.
    var brief: String { ExpressionLiteral.spell(self) }
}
