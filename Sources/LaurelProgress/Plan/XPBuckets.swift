// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// Where a version counts XP.
struct XPBuckets {
    /// In the order of the rules, then those of adjustments and achievements where no rule names them, then those of
    /// earlier versions.
    private(set) var names: [String] = []
    /// How many of them are not of earlier versions alone.
    private(set) var ownCount = 0
    /// Indexes in byte order of the names.
    private(set) var byName: [Int] = []
    /// The index of each rule's.
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

    /// Given to a bucket when it is first named.
    private mutating func index(of name: String) -> Int {
        if let index = names.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) { return index }
        names.append(name)
        return names.count - 1
    }
}
