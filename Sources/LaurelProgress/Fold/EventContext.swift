// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// The event at hand, as every track sees it.
package struct EventContext {
    package var kind = EventKind.other
    /// Milliseconds since 1970.
    package var time: Int64 = 0
    package var local: LocalTime
    /// The first day of the local day's week.
    package var week = LocalDay(number: 0)
    /// Index into the table's texts; 0 where the event has no session.
    var session: UInt32 = 0
    /// Tells sessions apart within a table and between tables, but the same session may have several.
    var sessionKey: UInt64 = 0
    /// Of a review; nil where it tells none.
    var grade: Grade?
    /// Means something where the event concerns a word.
    var word = WordOutcome()

    package var day: LocalDay { local.day }

    init(local: LocalTime) { self.local = local }
}

/// What an event did to its word, as expressions see it.
package struct WordOutcome: Sendable {
    /// True if the word exists after the event; the rest means nothing where it does not.
    package var exists = false
    package var isNew = false
    package var masteryBefore = 0
    package var learnedNow = false
    /// As it is now, and as it was before the event; for observers only.
    package var state = WordState()
    package var before = WordState()
}
