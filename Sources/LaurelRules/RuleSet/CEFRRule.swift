// SPDX-License-Identifier: Apache-2.0

/// The rule that estimates the CEFR level.
package struct CEFRRule: Sendable {
    package static let levels = ["A1", "A2", "B1", "B2", "C1", "C2"]

    package let score: Program
    /// The scores at which the six levels start, ascending. The first is 0.
    package let bands: [Double]
}
