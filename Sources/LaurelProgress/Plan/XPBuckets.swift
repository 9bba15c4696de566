// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// The XP buckets of a version.
struct XPBuckets {
    /// The names: first the buckets in the order of the rules, then those of adjustments and achievements, then those
    /// of earlier versions. Each name occurs once, at its first position.
    private(set) var names: [String] = []
    /// The number of buckets without those that only earlier versions use.
    private(set) var ownCount = 0
    /// The indexes of the buckets, sorted by the bytes of their names.
    private(set) var byName: [Int] = []
    /// The index of each XP rule's bucket.
    private(set) var ofRules: [Int] = []
    private(set) var adjustment = 0
    private(set) var achievements = 0
    /// The bucket of goals. Without goals in the rules, it is the bucket of achievements.
    private(set) var goals = 0

    init(of rules: RuleSet, earlier: [String]) {
        for rule in rules.xpRules { ofRules.append(rule.currency == nil ? index(of: rule.bucket) : 0) }
        adjustment = index(of: "adjustment")
        achievements = index(of: "achievements")
        goals = rules.goals.isEmpty ? achievements : index(of: "goals")
        ownCount = names.count
        for bucket in earlier { _ = index(of: bucket) }
        let names = names
        byName = names.indices.sorted { names[$0].utf8.lexicographicallyPrecedes(names[$1].utf8) }
    }

    /// The index of a bucket. A new name gets the next index.
    private mutating func index(of name: String) -> Int {
        if let index = names.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) { return index }
        names.append(name)
        return names.count - 1
    }
}

extension RuleSet {
    /// The buckets of the XP rules in their order, and that of goals.
    var xpBuckets: [String] {
        xpRules.filter { $0.currency == nil }.map(\.bucket) + (goals.isEmpty ? [] : ["goals"])
    }
}
