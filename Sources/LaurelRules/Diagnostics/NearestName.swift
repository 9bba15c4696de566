/// The candidate that a mistyped name most likely meant, or nil where none is near.
///
/// Near means at most a third of the name's letters wrong (one at least, three at most), counting a letter added, left
/// out, replaced, or swapped with its neighbour as one. Of equally near ones the first wins.
/// - Complexity: O(candidates × length²); names over 64 bytes get no suggestion.
func nearestName<Names: Sequence<String>>(to name: String, among candidates: Names) -> String? {
    let wrong = Array(name.lowercased().utf8)
    guard wrong.count <= 64 else { return nil }
    let limit = min(3, max(1, wrong.count / 3))
    var best: (name: String, distance: Int)?
    for candidate in candidates where candidate != name {
        let right = Array(candidate.lowercased().utf8)
        guard abs(right.count - wrong.count) <= limit, right.count <= 64 else { continue }
        let distance = editDistance(wrong, right)
        if distance <= limit, distance < best?.distance ?? .max {
            best = (candidate, distance)
        }
    }
    return best?.name
}

/// Optimal string alignment distance: Levenshtein's with neighbours swapped as one edit.
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    var current = last
    for i in 0..<a.count {
        current[0] = i + 1
        for j in 0..<b.count {
            var distance = min(last[j + 1] + 1, current[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                distance = min(distance, beforeLast[j - 1] + 1)
            }
            current[j + 1] = distance
        }
        (beforeLast, last, current) = (last, current, beforeLast)
    }
    return last[b.count]
}

/// "; did you mean `NAME`?", or nothing.
func didYouMean(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean `\($0)`?" } ?? ""
}
