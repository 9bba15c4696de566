// SPDX-License-Identifier: Apache-2.0

/// The candidate that was most likely meant by a mistyped name; nil if no candidate is near.
///
/// A candidate is near if at most a third of the name's letters are wrong. One wrong letter is always allowed; more
/// than three are never allowed. An added, missing or replaced letter counts as one wrong letter, and so do two swapped
/// neighbours. Of equally near candidates, the first is returned.
/// - Parameter takesBeginnings: true if a candidate is also near when it begins with the name.
/// - Complexity: O(candidates × length²). Names over 64 bytes get no suggestion.
public func nearestName(
    to name: String,
    among candidates: some Sequence<String>,
    takesBeginnings: Bool = false
) -> String? {
    let wrong = Array(name.lowercased().utf8)
    guard !wrong.isEmpty, wrong.count <= 64 else { return nil }
    let limit = min(3, max(1, wrong.count / 3))
    var best: (name: String, distance: Int)?
    for candidate in candidates where candidate != name {
        let right = Array(candidate.lowercased().utf8)
        guard right.count <= 64 else { continue }
        let isBeginning = takesBeginnings && wrong.count > 1 && right.starts(with: wrong)
        let distance = isBeginning ? 1 : editDistance(wrong, right)
        if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
}

/// The Levenshtein edit distance, but two swapped neighbours count as one edit.
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    var current = last
    for i in a.indices {
        current[0] = i + 1
        for j in b.indices {
            current[j + 1] = min(last[j + 1] + 1, current[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                current[j + 1] = min(current[j + 1], beforeLast[j - 1] + 1)
            }
        }
        (beforeLast, last, current) = (last, current, beforeLast)
    }
    return last[b.count]
}

extension Sequence<String> {
    /// The candidate that was most likely meant by a mistyped name, or by the beginning of a name.
    package func nearest(to name: String) -> String? { nearestName(to: name, among: self, takesBeginnings: true) }
}

/// The end of a message about an unknown name, `; did you mean NAME?`; empty for nil.
package func didYouMean(_ name: String?) -> String { name.map { "; did you mean \($0)?" } ?? "" }

/// The same as ``didYouMean(_:)``, with the name in backticks.
package func didYouMean(code name: String?) -> String { didYouMean(name.map { "`\($0)`" }) }

/// The same as ``didYouMean(_:)``, in parentheses, for the middle of a message.
package func didYouMean(aside name: String?) -> String { name.map { " (did you mean \($0)?)" } ?? "" }
