// SPDX-License-Identifier: Apache-2.0

/// A pool of goals. In each window, a learner gets only some of them.
package struct GoalPool: Sendable {
    package let name: String
    /// The number of goals that count in a window.
    package let draw: Int
}

extension RuleSet {
    /// For each goal, true if the goal counts for a learner. A goal counts if it has no pool, or if it is drawn from
    /// its pool.
    /// - Parameter windowName: returns the name of the present window of a kind; nil if there is none.
    package func drawnGoals(of learner: String, _ windowName: (FrameLayout.Window) -> String?) -> [Bool] {
        var drawn = goals.map { $0.pool == nil }
        for (index, pool) in pools.enumerated() {
            let members = goals.indices.filter { goals[$0].pool == index }
            guard let first = members.first, let window = windowName(goals[first].every) else { continue }
            let hashed = members.map { (goal: $0, hash: GoalPool.hash("\(learner)/\(window)/\(goals[$0].id)")) }
            // Equal hashes stay in file order.
            let order = hashed.sorted { ($0.hash, $0.goal) < ($1.hash, $1.goal) }
            for member in order.prefix(pool.draw) { drawn[member.goal] = true }
        }
        return drawn
    }
}

extension GoalPool {
    static func hash(_ text: String) -> UInt32 { FNV1a.hash("\(FNV1a.hash(text))") }
}
