// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// Instants for people, in UTC.
enum TimeText {
    /// A day, such as `2026-02-05`.
    static func day(_ date: Date) -> String { String(text(date).prefix(10)) }

    /// A day and a time of day, such as `2026-02-05 18:00`.
    static func minute(_ date: Date) -> String {
        let text = text(date)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
    }

    /// A time of day, such as `18:00:07`.
    static func second(_ date: Date) -> String { String(text(date).dropFirst(11).prefix(8)) }

    private static func text(_ date: Date) -> String { "\(Timestamp(date))" }
}
