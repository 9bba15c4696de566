// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// The current event, as every track sees it.
package struct EventContext {
    package var kind = EventKind.other
    /// The time of the event, in milliseconds since 1970.
    package var time: Int64 = 0
    package var local: LocalTime
    /// The windows of the calendar that contain the local day.
    var windowKeys = WindowKeys(day: 0, week: 0)
    /// The windows that the event is in.
    var place = WindowPlace(isInSession: false, isInSeason: false)
    /// The session's index in the table's texts; 0 without a session.
    var session: UInt32 = 0
    /// A key of the session, for fast comparisons. Equal keys mean the same session, but one session may have several
    /// keys.
    var sessionKey: UInt64 = 0
    /// The grade of a review; nil if the event has none.
    var grade: Grade?
    package var flag = FlagState.plausible
    /// The effect on the event's word. Valid only if the event concerns a word.
    var word = WordOutcome()

    package var day: LocalDay { local.day }
    /// The first day of the local day's week.
    package var week: LocalDay { LocalDay(number: windowKeys.week) }

    init(local: LocalTime) { self.local = local }
}

/// The effect of an event on its word, as expressions see it.
package struct WordOutcome: Sendable {
    /// True if the word exists after the event. If false, the other members are meaningless.
    package var exists = false
    package var isNew = false
    package var masteryBefore = 0
    package var learnedNow = false
    /// The word's state after and before the event. Set only for observers.
    package var state = WordState()
    package var before = WordState()
    /// The days since the last review before the event, as the scheduler counts them. Set only for observers.
    package var daysSinceReview: Int64?
    /// The grade of a review; nil for other events. Set only for observers.
    package var grade: Grade?
    /// The probability of recall just before the event, as ``Scheduler/recall(_:at:)`` predicts it. Set only for
    /// observers.
    package var recall: Double?
}
