// SPDX-License-Identifier: Apache-2.0

package import LaurelWire

/// The sources of XP in sentences: by day, by session, and by rule.
package struct XPStory {
    package typealias Achievement = (name: String, tiers: Int)

    /// A learner's day and its XP.
    package struct Day: Sendable {
        package let day: LocalDay
        package let xp: Int
        /// The sessions of the day, and the events outside sessions, each in the order of the first event.
        package let parts: [Part]
    }

    /// A session's events on one day, or the events outside sessions.
    package struct Part: Sendable {
        /// The name of the session, as a heading; nil if the day has no sessions.
        package let title: Story?
        package let xp: Int
        package let sentences: [Sentence]
    }

    /// The events of one type that a rule treats alike, and the XP that they gave.
    package struct Sentence: Sendable {
        /// The rule or achievement, followed by the bucket if the bucket has another name.
        package let title: Story
        /// The XP that was given; negative if XP was taken.
        package let amount: Int
        /// A sentence such as `42 reviews gave 78 XP: 2 each, 1 when forgotten (6 times)`.
        package let story: Story
        /// The limit that the events exceed, in sentences; nil if they are plausible.
        package let flag: Story?
        /// The events in the learner's order.
        package let lines: [Line]
    }

    /// An event's share of a sentence.
    package struct Line: Sendable {
        package let event: EventReference
        package let amount: Int
        /// The rule's formula with the event's values.
        package let story: Story
    }

    /// The achievement with an id; nil if the rules do not have it.
    private let achievement: (String) -> Achievement?

    package init(achievement: @escaping (String) -> Achievement?) { self.achievement = achievement }

    package static let nothing: Story = "no XP, and no event that an XP rule applies to"

    /// The days that have events, ascending.
    package func days(_ events: [XPExplanation.Event]) -> [Day] {
        events.grouped(by: \.event.day).map { day, events in
            let sessions = events.grouped(by: \.event.session)
            let isDivided = sessions.contains { $0.key != nil }
            return Day(
                day: day,
                xp: events.xp,
                parts: sessions.map { session, events in
                    Part(
                        title: isDivided ? title(session, events[0].event) : nil,
                        xp: events.xp,
                        sentences: sentences(events)
                    )
                }
            )
        }.sorted { $0.day < $1.day }
    }

    private func title(_ session: String?, _ first: EventReference) -> Story {
        session == nil ? "Outside sessions" : "Session \(.session(first))"
    }

    private func sentences(_ events: [XPExplanation.Event]) -> [Sentence] {
        let items = events.flatMap { event -> [XPItem] in
            event.event.void == nil
                ? event.entries.map { XPItem(event: event.event, entry: $0) } : [XPItem(event: event.event, entry: nil)]
        }
        return items.grouped(by: XPItem.Key.init).map { _, items in
            Sentence(
                title: items[0].title,
                amount: items.reduce(0) { $0 + $1.amount },
                story: XPSentence(items: items, achievement: achievement).story,
                flag: items[0].event.flag.map(Story.flag),
                lines: items.map { Line(event: $0.event, amount: $0.amount, story: $0.reason) }
            )
        }
    }
}

extension XPStory.Line {
    /// The event, and its language.
    package var heading: Story {
        let place: Story? = event.language.map { ", \(.data($0))" }
        return "\(.event(event))\(place)"
    }
}

extension [XPExplanation.Event] {
    fileprivate var xp: Int { reduce(0) { $0 + $1.xp } }
}

extension Array {
    /// The elements with equal keys together, in the order in which the keys first occur.
    func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
        var places: [Key: Int] = [:]
        var groups: [(key: Key, elements: [Element])] = []
        for element in self {
            let key = key(element)
            let place = places[key] ?? groups.count
            if place == groups.count {
                places[key] = place
                groups.append((key, []))
            }
            groups[place].elements.append(element)
        }
        return groups
    }
}
