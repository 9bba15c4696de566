// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// What the store keeps of a learner's progress in plain tables: a pure function of the learner's events and the rules,
/// as of the learner's last event (no clock).
package struct LearnerProjection: Sendable, Equatable {
    package var displayName: String?
    package var cohort: String?
    package var nativeLanguage: String?
    package var dailyGoalMinutes: Int
    /// The overall track first, then one per language in byte order.
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

/// One row of the table `progress`, with its rows of `daily` and `achievements`.
package struct TrackProjection: Sendable, Equatable {
    /// nil for the overall track.
    package var language: String?
    package var numbers = TrackNumbers()
    /// Ascending by day.
    package var days: [DayProjection] = []
    /// In file order; those of the track's scope.
    package var achievements: [AchievementProjection] = []

    package init(language: String?) { self.language = language }
}

/// A number by name, in lists whose order means something.
package struct NamedNumber: Sendable, Equatable {
    package var name: String
    package var value: Double

    package init(name: String, value: Double) {
        self.name = name
        self.value = value
    }
}

extension [NamedNumber] {
    /// True if they are the same to the last bit.
    package func isIdentical(to other: [NamedNumber]) -> Bool {
        elementsEqual(other) {
            $0.value.bitPattern == $1.value.bitPattern && $0.name.hasSameBytes(as: $1.name)
        }
    }
}

/// Numbers by name, in an order that means something. Many lists share the same names.
package struct NamedNumbers: Sendable, Equatable, RandomAccessCollection, ExpressibleByArrayLiteral {
    package let names: NumberNames
    /// As many as there are names.
    package let values: [Double]

    /// - Precondition: as many values as names.
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

    /// True if they are the same to the last bit; where names are equal without being those of one list, it may be
    /// denied.
    package func isIdentical(to other: NamedNumbers) -> Bool {
        names === other.names && values.elementsEqual(other.values) { $0.bitPattern == $1.bitPattern }
    }

    package static func == (one: NamedNumbers, other: NamedNumbers) -> Bool {
        one.values == other.values && (one.names === other.names || one.names.list == other.names.list)
    }
}

/// Names of numbers, and how JSON spells them.
package final class NumberNames: Sendable {
    package let list: [String]
    /// A JSON object without its numbers and its end: each name in quotes, with what stands before and behind it.
    package let members: [UInt8]
    /// Where each name's part of ``members`` ends.
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

    /// In quotes; control characters by their numbers, the only escapes that are read back.
    package static func write(_ name: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        var name = name
        name.withUTF8 { name in
            if isPlain(name) { text.append(contentsOf: name) } else { escape(name, to: &text) }
        }
        text.append(UInt8(ascii: "\""))
    }

    /// True if a name is written as it is.
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

/// One row of the table `daily`: what happened on one local day.
package struct DayProjection: Sendable, Equatable {
    package var day: LocalDay
    package var xp: Double = 0
    package var practiceMilliseconds: Int64 = 0
    /// `line.spoken`.
    package var lines = 0
    /// `review.graded`, and those of them not graded again.
    package var reviews = 0
    package var correctReviews = 0
    /// Words that became known, and that became learned, on that day.
    package var newWords = 0
    package var learnedWords = 0
    /// True if the day counts for the streak.
    package var isActive = false

    package init(day: LocalDay) { self.day = day }
}

/// One row of the table `achievements`.
package struct AchievementProjection: Sendable, Equatable {
    package var id: String
    /// Tiers unlocked so far, and how many there are.
    package var tier = 0
    package var tiers = 1
    /// Milliseconds since 1970, of the latest tier unlocked.
    package var unlockedAt: Int64?
    /// 0 … 1, towards the next locked tier.
    package var progress: Double = 0
    /// Hidden achievements stay out of listings until unlocked.
    package var isHidden = false

    package init(id: String) { self.id = id }
}

extension LearnerProjection {
    /// Where another projection has the tracks of the same languages, in the order of ``tracks``; nil if it has none.
    /// - Complexity: O(tracks) where both have them in one order, for each is looked for where the one before was found.
    package func places(in other: LearnerProjection) -> [Int?] {
        // By pointers: to hand on a track of an array is to copy it.
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
