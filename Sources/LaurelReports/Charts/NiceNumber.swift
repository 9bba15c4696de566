// SPDX-License-Identifier: Apache-2.0

import LaurelSystem

/// Round numbers for axes: 1, 2 or 5, times a power of ten.
enum NiceNumber {
    /// The smallest round number that is equal to or above a number; 0 if the number is 0 or negative.
    static func atLeast(_ number: Double) -> Double {
        guard number > 0, number.isFinite else { return 0 }
        let magnitude = pow(10, floor(log10(number)))
        for factor in [1.0, 2, 5, 10] where factor * magnitude >= number * (1 - 1e-9) { return factor * magnitude }
        return 10 * magnitude
    }
}
