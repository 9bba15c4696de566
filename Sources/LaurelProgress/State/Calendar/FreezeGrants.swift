// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The streak freezes that were granted, by period: by local day, or by week.
struct FreezeGrants: Sendable, Equatable {
    /// The grants, ascending by period. Each period occurs once.
    private(set) var grants: [(period: Int32, count: Int)] = []
    /// The largest sum of a period. No rules let a learner hold more freezes.
    private static let most = 1 << 20

    var isEmpty: Bool { grants.isEmpty }

    mutating func removeAll() { grants.removeAll(keepingCapacity: true) }

    mutating func add(_ count: Int, in period: Int32) {
        let index = firstIndex(from: period)
        if index < grants.count, grants[index].period == period {
            grants[index].count = min(grants[index].count + count, FreezeGrants.most)
        } else {
            grants.insert((period, min(count, FreezeGrants.most)), at: index)
        }
    }

    /// The freezes granted in a period.
    func count(in period: Int32) -> Int {
        guard !grants.isEmpty else { return 0 }
        let index = firstIndex(from: period)
        return index < grants.count && grants[index].period == period ? grants[index].count : 0
    }

    /// The number of freezes granted before a period. If `period` is nil, all grants count.
    func count(before period: Int32?) -> Int {
        let end = period.map(firstIndex) ?? grants.count
        return grants[..<end].reduce(0) { min($0 + $1.count, FreezeGrants.most) }
    }

    /// The first period with a grant that is not before `period`; nil if there is none.
    func next(from period: Int32) -> Int32? {
        guard !grants.isEmpty else { return nil }
        let index = firstIndex(from: period)
        return index < grants.count ? grants[index].period : nil
    }

    private func firstIndex(from period: Int32) -> Int {
        grants.indices.partitioningIndex { grants[$0].period >= period }
    }

    static func == (one: FreezeGrants, other: FreezeGrants) -> Bool {
        one.grants.elementsEqual(other.grants) { $0 == $1 }
    }
}
