// SPDX-License-Identifier: Apache-2.0

/// The estimate of the CEFR level.
package struct CEFRRule: Sendable {
    package static let levels = ["A1", "A2", "B1", "B2", "C1", "C2"]

    package let score: Program
    /// The score at which each of the six levels starts, ascending from 0.
    package let bands: [Double]
}
