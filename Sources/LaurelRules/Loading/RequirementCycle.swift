// SPDX-License-Identifier: Apache-2.0

/// Finds cycles in `requires`.
enum RequirementCycle {
    /// The first cycle in a graph, starting from its smallest node; nil if there is none. Node i has edges to the nodes
    /// `edges[i]`.
    /// - Complexity: O(nodes + edges), without recursion.
    static func find(in edges: [[Int]]) -> [Int]? {
        var isDone = [Bool](repeating: false, count: edges.count)
        for start in edges.indices where !isDone[start] {
            var path = [start]
            var next = [0]
            var onPath: Set<Int> = [start]
            while let node = path.last {
                guard next[next.count - 1] < edges[node].count else {
                    isDone[node] = true
                    onPath.remove(node)
                    path.removeLast()
                    next.removeLast()
                    continue
                }
                let target = edges[node][next[next.count - 1]]
                next[next.count - 1] += 1
                if onPath.contains(target) { return rotate(Array(path[path.firstIndex(of: target)!...])) }
                guard !isDone[target] else { continue }
                path.append(target)
                next.append(0)
                onPath.insert(target)
            }
        }
        return nil
    }

    private static func rotate(_ cycle: [Int]) -> [Int] {
        guard let smallest = cycle.indices.min(by: { cycle[$0] < cycle[$1] }) else { return cycle }
        return Array(cycle[smallest...] + cycle[..<smallest])
    }
}
