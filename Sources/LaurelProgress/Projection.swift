// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// A learner's progress as the store's tables contain it, as of the learner's last event. It depends only on the
/// learner's events and the rules, not on a clock.
package struct LearnerProjection: Sendable, Equatable {
    package var displayName: String?
    package var cohort: String?
    package var nativeLanguage: String?
    package var dailyGoalMinutes: Int
    /// False if the learner is left out of leaderboards.
    package var isOnLeaderboards = true
    /// The groups that the learner has joined since the state was created, decoded or settled. The store keeps a list
    /// of all groups that the learner ever joined. A projection read from the store has no joined groups.
    package var joinedGroups: [String] = []
    /// The overall track first, then the language tracks in byte order.
    package var tracks: [TrackProjection]

    package init(
        displayName: String?,
        cohort: String?,
        nativeLanguage: String?,
        dailyGoalMinutes: Int,
        tracks: [TrackProjection]
    ) {
        self.displayName = displayName
        self.cohort = cohort
        self.nativeLanguage = nativeLanguage
        self.dailyGoalMinutes = dailyGoalMinutes
        self.tracks = tracks
    }
}

extension LearnerProjection {
    /// The learner's profile, without tracks.
    package var profile: LearnerProjection {
        var profile = LearnerProjection(
            displayName: displayName,
            cohort: cohort,
            nativeLanguage: nativeLanguage,
            dailyGoalMinutes: dailyGoalMinutes,
            tracks: []
        )
        profile.isOnLeaderboards = isOnLeaderboards
        return profile
    }
}

/// One row of the table `progress`, with its rows of `daily` and `achievements`.
package struct TrackProjection: Sendable, Equatable {
    /// The language; nil for the overall track.
    package var language: String?
    package var numbers = TrackNumbers()
    /// The days, ascending.
    package var days: [DayProjection] = []
    /// The achievements that the track can unlock, in file order.
    package var achievements: [AchievementProjection] = []

    package init(language: String?) { self.language = language }
}

/// A number and its name. Lists of named numbers are ordered.
package struct NamedNumber: Sendable, Equatable {
    package var name: String
    package var value: Double

    package init(name: String, value: Double) {
        self.name = name
        self.value = value
    }
}

extension [NamedNumber] {
    /// True if both lists are equal to the last bit.
    package func isIdentical(to other: [NamedNumber]) -> Bool {
        elementsEqual(other) {
            $0.value.bitPattern == $1.value.bitPattern && $0.name.hasSameBytes(as: $1.name)
        }
    }
}

/// An ordered list of numbers with names. Many lists share the same names.
package struct NamedNumbers: Sendable, Equatable, RandomAccessCollection, ExpressibleByArrayLiteral {
    package let names: NumberNames
    /// The numbers, one per name.
    package let values: [Double]

    /// - Precondition: there are as many values as names.
    package init(names: NumberNames, values: [Double]) {
        precondition(names.list.count == values.count)
        (self.names, self.values) = (names, values)
    }

    package init(_ numbers: [NamedNumber]) {
        self.init(names: NumberNames(numbers.map(\.name)), values: numbers.map(\.value))
    }

    package init(arrayLiteral numbers: NamedNumber...) { self.init(numbers) }

    static let none = NamedNumbers(names: NumberNames([]), values: [])

    package var startIndex: Int { 0 }
    package var endIndex: Int { values.count }
    package subscript(index: Int) -> NamedNumber { NamedNumber(name: names.list[index], value: values[index]) }

    /// True if both lists are equal to the last bit. The result may be false if the names are equal but are not the
    /// same object.
    package func isIdentical(to other: NamedNumbers) -> Bool {
        names === other.names && values.elementsEqual(other.values) { $0.bitPattern == $1.bitPattern }
    }

    package static func == (one: NamedNumbers, other: NamedNumbers) -> Bool {
        one.values == other.values && (one.names === other.names || one.names.list == other.names.list)
    }
}

/// Names of numbers, and the fixed parts of a JSON object with these names.
package final class NumberNames: Sendable {
    package let list: [String]
    /// A JSON object without its numbers and its closing brace. It contains each name in quotes, with the punctuation
    /// before and after the name.
    package let members: [UInt8]
    /// For each name, the offset in ``members`` at which its part ends.
    package let ends: [Int]

    package init(_ names: [String]) {
        var (members, ends): ([UInt8], [Int]) = ([], [])
        for name in names {
            members.append(ends.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
            NumberNames.write(name, to: &members)
            members.append(UInt8(ascii: ":"))
            ends.append(members.count)
        }
        list = names
        (self.members, self.ends) = (members, ends)
    }

    /// Writes a name in quotes. Control characters are written as numeric escapes, because the reader accepts no other
    /// escapes.
    package static func write(_ name: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        var name = name
        name.withUTF8 { name in
            if isPlain(name) { text.append(contentsOf: name) } else { escape(name, to: &text) }
        }
        text.append(UInt8(ascii: "\""))
    }

    /// True if a name can be written without escapes.
    package static func isPlain(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        name.allSatisfy { $0 >= 32 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }

    private static func escape(_ name: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) {
        for byte in name {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                text.append(UInt8(ascii: "\\"))
                text.append(byte)
            case 0..<32: text.append(contentsOf: "\\u00\([byte].hexadecimal)".utf8)
            default: text.append(byte)
            }
        }
    }
}

/// One row of the table `daily`: a learner's activity on one local day.
package struct DayProjection: Sendable, Equatable {
    package var day: LocalDay
    package var xp: Double = 0
    package var practiceMilliseconds: Int64 = 0
    /// The number of `line.spoken` events.
    package var lines = 0
    /// The number of `review.graded` events, and the number of those whose grade is not `again`.
    package var reviews = 0
    package var correctReviews = 0
    /// The number of words that became known on the day, and the number of words that became learned.
    package var newWords = 0
    package var learnedWords = 0
    /// True if the day counts for the streak.
    package var isActive = false
    /// The part of the XP that was credited for events flagged as implausible.
    package var flaggedXP: Double = 0

    package init(day: LocalDay) { self.day = day }
}

extension [DayProjection] {
    /// The rows of a range of days. The array must be ascending.
    /// - Complexity: O(log n), and O(rows) for reading them.
    func within(_ days: ClosedRange<LocalDay>) -> some Sequence<DayProjection> {
        let first = indices.partitioningIndex { self[$0].day >= days.lowerBound }
        return self[first...].prefix { $0.day <= days.upperBound }
    }
}

/// One row of the table `achievements`.
package struct AchievementProjection: Sendable, Equatable {
    package var id: String
    /// The number of unlocked tiers, and the number of all tiers.
    package var tier = 0
    package var tiers = 1
    /// The time of the latest unlocked tier, in milliseconds since 1970; nil before the first.
    package var unlockedAt: Int64?
    /// The share of the way to the next locked tier, 0 … 1.
    package var progress: Double = 0
    /// True if listings leave the achievement out until it is unlocked.
    package var isHidden = false

    package init(id: String) { self.id = id }
}

extension LearnerProjection {
    /// For each of this projection's tracks, the index in another projection of the track with the same language. The
    /// index is nil if the other projection does not have the track.
    /// - Complexity: O(tracks) if both have the same order, because each search starts at the previous result.
    package func indexes(in other: LearnerProjection) -> [Int?] {
        // Pointers, because passing an array element to a function copies it.
        tracks.withUnsafeBufferPointer { tracks in
            other.tracks.withUnsafeBufferPointer { others in
                var next = 0
                return tracks.indices.map { index in
                    func isSame(_ place: Int) -> Bool {
                        TrackProjection.areSame(tracks[index].language, others[place].language)
                    }
                    let place = (next..<others.count).first(where: isSame) ?? (0..<next).first(where: isSame)
                    if let place { next = place + 1 }
                    return place
                }
            }
        }
    }
}

extension TrackProjection {
    fileprivate static func areSame(_ language: String?, _ other: String?) -> Bool {
        guard let language, let other else { return language == nil && other == nil }
        return language.hasSameBytes(as: other)
    }
}
