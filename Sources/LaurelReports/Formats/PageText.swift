// SPDX-License-Identifier: Apache-2.0

package import LaurelWire
import Synchronization

/// Numbers, days and spans on other pages, as reports in English write them.
package enum PageText {
    private static let locale = Mutex(LocaleText())

    /// `12,345`, `2.5`; a dash for what is no number.
    package static func number(_ number: Double) -> String {
        guard number.isFinite, number.magnitude < 1e15 else { return "–" }
        return locale.withLock { $0.number(number) }
    }

    /// - Parameter percent: 0 … 100. What is less than all never reads as all of it.
    package static func percent(_ percent: Double) -> String { locale.withLock { $0.percent(percent) } }

    /// `Thu 2 Apr 2026`.
    package static func day(_ day: LocalDay) -> String { locale.withLock { $0.date(day, .full) } }

    /// `2 h 05 min`.
    package static func duration(milliseconds: Double) -> String { locale.withLock { $0.duration(milliseconds) } }
}
