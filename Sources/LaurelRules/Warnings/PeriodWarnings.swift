// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
import LaurelYAML

extension RuleSet {
    /// Warnings about XP rules and achievements that can never act if the rules come into force on a day. The periods
    /// of these rules end before that day.
    package func warnings(inForceFrom day: LocalDay) -> [Diagnostic] {
        periods.compactMap { phrase, period, part in
            guard let last = period.through, last < day, let part else { return nil }
            let message = "\(phrase) never acts: it is over with \(last), and these rules are in force from \(day) on"
            return Diagnostic(.warning, at: part.position, message)
        }
    }
}
