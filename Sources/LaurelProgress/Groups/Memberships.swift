// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// The groups that `group.joined` events made a learner a member of, with the days of membership.
package struct Memberships: Sendable, Equatable {
    /// A group that the learner joined.
    package struct Membership: Sendable, Equatable {
        package let group: [UInt8]
        /// The kind that the latest joining with a `kind` named, and the time of that event in milliseconds since 1970;
        /// nil if no joining named a kind.
        package internal(set) var kind: Kind?
        /// The days of membership, in the order of the joinings. Two spans may overlap if the learner travelled west,
        /// because a local date then repeats.
        package internal(set) var spans: [Span] = []
    }

    package struct Kind: Sendable, Equatable {
        package let name: [UInt8]
        package let namedAt: Int64
    }

    /// The days from one joining to the next leaving.
    package struct Span: Sendable, Equatable {
        /// The local day of joining.
        package let first: LocalDay
        /// The local day of leaving, which is not in the span; nil while the learner is a member.
        package internal(set) var end: LocalDay?

        package func contains(_ day: LocalDay) -> Bool { first <= day && end.map { day < $0 } ?? true }
    }

    /// The groups, in byte order of their ids.
    package private(set) var all: [Membership] = []
    /// The groups that the learner joined since the state was created, decoded or settled, void joinings included. It is
    /// not part of the encoded state. A group may stand in it twice.
    private(set) var joined: [[UInt8]] = []

    init() {}

    /// Returns nil if ``join(_:kind:on:at:)`` and ``leave(_:on:)`` can never produce such memberships.
    init?(_ all: [Membership]) {
        let groups = all.map(\.group)
        guard zip(groups, groups.dropFirst()).allSatisfy({ $0.lexicographicallyPrecedes($1) }),
            all.allSatisfy({ $0.spans.dropLast().allSatisfy { $0.end != nil } })
        else { return nil }
        self.all = all
    }

    package var isEmpty: Bool { all.isEmpty }

    /// The membership of a group; nil if the learner never joined it.
    package func membership(of group: [UInt8]) -> Membership? {
        let index = index(of: group)
        return index < all.count && all[index].group == group ? all[index] : nil
    }

    /// Joins a group. A member who joins again stays a member from the first joining.
    mutating func join(_ group: [UInt8], kind: [UInt8]?, on day: LocalDay, at milliseconds: Int64) {
        let index = index(of: group)
        if index == all.count || all[index].group != group {
            all.insert(Membership(group: group), at: index)
            joined.append(group)
        }
        if let kind { all[index].kind = Kind(name: kind, namedAt: milliseconds) }
        if !all[index].isOpen { all[index].spans.append(Span(first: day)) }
    }

    /// Notes a group that the learner joined before a correction.
    mutating func noteJoining(_ group: [UInt8]) { joined.append(group) }

    /// Leaves a group. Without a membership, nothing changes.
    mutating func leave(_ group: [UInt8], on day: LocalDay) {
        let index = index(of: group)
        guard index < all.count, all[index].group == group, all[index].isOpen else { return }
        let last = all[index].spans.count - 1
        if day <= all[index].spans[last].first {
            // The learner left on the day of joining, so no day of membership is complete.
            all[index].spans.removeLast()
        } else {
            all[index].spans[last].end = day
        }
    }

    /// See ``LearnerState/settle()``.
    mutating func settle() { joined.removeAll() }

    private func index(of group: [UInt8]) -> Int {
        all.indices.partitioningIndex { !all[$0].group.lexicographicallyPrecedes(group) }
    }
}

extension Memberships.Membership {
    init(group: [UInt8]) { self.group = group }

    /// True if the learner joined and has not left since.
    package var isOpen: Bool { spans.last.map { $0.end == nil } ?? false }

    package func contains(_ day: LocalDay) -> Bool { spans.contains { $0.contains(day) } }
}

extension Memberships.Span {
    init(first: LocalDay) { self.first = first }
}

extension FoldCore {
    /// Applies a `group.joined` or `group.left` event.
    mutating func changeMembership() {
        guard let group = scratch.bytes(.group, columns) else { return }
        if case .groupLeft = event.kind {
            learner.memberships.leave(group, on: event.day)
        } else {
            learner.memberships.join(group, kind: scratch.bytes(.kind, columns), on: event.day, at: event.time)
        }
    }
}

extension StateWriter {
    /// Writes memberships as the last section of a state, if there are any.
    mutating func write(_ memberships: Memberships) {
        write(UInt64(memberships.all.count))
        for membership in memberships.all {
            write(membership.group)
            write(optional: membership.kind) { writer, kind in
                writer.write(kind.name)
                writer.write(kind.namedAt)
            }
            write(list: membership.spans) { writer, span in
                writer.write(Int(span.first.number))
                writer.write(optional: span.end) { $0.write(Int($1.number)) }
            }
        }
    }
}

extension StateReader {
    mutating func memberships() throws(Malformed) -> Memberships {
        let all = try list { reader throws(Malformed) in
            var membership = Memberships.Membership(group: try reader.data())
            membership.kind = try reader.optional { reader throws(Malformed) in
                Memberships.Kind(name: try reader.data(), namedAt: try reader.int64())
            }
            membership.spans = try reader.list { reader throws(Malformed) in
                var span = Memberships.Span(first: try reader.civilDay())
                span.end = try reader.optional { reader throws(Malformed) in try reader.civilDay() }
                return span
            }
            return membership
        }
        guard let memberships = Memberships(all) else { throw Malformed() }
        return memberships
    }
}
