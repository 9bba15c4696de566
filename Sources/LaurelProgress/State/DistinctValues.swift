// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// The values that a `distinct` metric has seen in one window, or the keys of a `by` with a number each.
package struct DistinctValues: Sendable {
    package private(set) var keys = TextTable()
    /// The numbers by key; `numbers[i]` belongs to key i + 1.
    package private(set) var numbers: [Double] = []
    /// The key that was noted last, because consecutive events mostly have the same key.
    private var recent: UInt32 = 0

    package init() {}

    package var count: Int { numbers.count }

    /// Notes a key. Returns true if it is new.
    package mutating func insert(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        let index = Int(keys.intern(key, &recent))
        guard index > numbers.count else { return false }
        numbers.append(0)
        return true
    }

    /// Adds to a key's number. Returns the largest of all numbers, given the largest before.
    /// - Complexity: O(1), or O(keys) if the largest number falls.
    package mutating func add(_ amount: Double, to key: UnsafeBufferPointer<UInt8>, largest: Double) -> Double {
        let isFirst = numbers.isEmpty
        let isNew = insert(key)
        let index = Int(recent) - 1
        let before = numbers[index]
        numbers[index] = before + amount
        if isFirst { return numbers[index] }
        if isNew || numbers[index] >= before { return max(largest, numbers[index]) }
        return before < largest ? largest : numbers.max()!
    }

    package mutating func set(_ number: Double, for key: UnsafeBufferPointer<UInt8>) {
        _ = insert(key)
        numbers[Int(recent) - 1] = number
    }

    package mutating func removeAll() {
        guard !numbers.isEmpty else { return }
        keys.removeAll()
        numbers.removeAll(keepingCapacity: true)
    }
}
