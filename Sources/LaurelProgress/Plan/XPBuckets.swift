// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// The XP buckets of a version.
struct XPBuckets {
    /// The names in the order of the rules. The buckets of adjustments and achievements follow unless a rule names
    /// them, then those of earlier versions.
    private(set) var names: [String] = []
    /// The number of buckets that do not come from earlier versions alone.
    private(set) var ownCount = 0
    /// The indexes in byte order of the names.
    private(set) var byName: [Int] = []
    /// The bucket's index, by rule.
    private(set) var ofRules: [Int] = []
    private(set) var adjustment = 0
    private(set) var achievements = 0

    init(of rules: RuleSet, earlier: [String]) {
        for rule in rules.xpRules { ofRules.append(index(of: rule.bucket)) }
        adjustment = index(of: "adjustment")
        achievements = index(of: "achievements")
        ownCount = names.count
        for bucket in earlier { _ = index(of: bucket) }
        let names = names
        byName = names.indices.sorted { names[$0].utf8.lexicographicallyPrecedes(names[$1].utf8) }
    }

    /// The index of a bucket, which is assigned when it is first named.
    private mutating func index(of name: String) -> Int {
        if let index = names.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) { return index }
        names.append(name)
        return names.count - 1
    }
}
