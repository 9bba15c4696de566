// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Synchronization

/// A learner with the texts by which lists are sorted and searched. They are prepared once, because a list may be long.
struct RosterEntry: Sendable {
    let member: ClassMember
    /// The displayed name in lower case and without accents, for sorting.
    private let name: String
    /// The displayed name and the id in lower case and without accents, for searching.
    private let text: [UInt8]

    private init(_ member: ClassMember) {
        self.member = member
        name = Self.folded(member.displayName ?? member.id)
        text = Array((member.displayName == nil ? name : "\(name)\n\(Self.folded(member.id))").utf8)
    }

    /// The entries, sorted by displayed name. Learners with the same name stay in their order.
    static func sorted(_ members: [ClassMember]) -> [RosterEntry] {
        let entries = members.map(RosterEntry.init)
        return entries.indices.sorted { (entries[$0].name, $0) < (entries[$1].name, $1) }.map { entries[$0] }
    }

    /// - Parameter part: a text in lower case and without accents.
    func contains(_ part: String) -> Bool { text.contains(Array(part.utf8)) }

    static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}

/// All learners as of the last commit. They are cached, so that a long list is not read again for each reader.
final class Roster: Sendable {
    private struct CachedEntries {
        var commit: CommitPosition
        var minute: Int64
        var entries: [RosterEntry]
    }

    private let engine: ProgressEngine
    /// The values that identify cached entries: the language (nil for all languages) and the week.
    private struct Key: Hashable {
        var language: String?
        var weeksAgo: Int
    }

    private let cached = Mutex<[Key: CachedEntries]>([:])
    private static let mostCached = 8

    init(_ engine: ProgressEngine) { self.engine = engine }

    /// The learners, sorted by displayed name. The list is at most a minute old, because days and streaks end without a
    /// commit.
    func entries(language: String?, weeksAgo: Int, at date: Date) throws -> [RosterEntry] {
        let key = Key(language: language, weeksAgo: weeksAgo)
        let commit = try engine.changes(since: 0).commit
        let minute = date.milliseconds / 60_000
        if let cached = cached.withLock({ $0[key] }), cached.commit == commit, cached.minute == minute {
            return cached.entries
        }
        let entries = RosterEntry.sorted(try engine.classMembers(language: language, weeksAgo: weeksAgo, at: date))
        cached.withLock { cached in
            if cached.count > Self.mostCached { cached = [:] }
            cached[key] = CachedEntries(commit: commit, minute: minute, entries: entries)
        }
        return entries
    }
}
