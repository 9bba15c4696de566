// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// The values that a `distinct` metric has counted in one window. For a metric with `by`: its keys, each with a number.
package struct DistinctValues: Sendable {
    package private(set) var keys = TextTable()
    /// The numbers by key; `numbers[i]` belongs to key i + 1.
    package private(set) var numbers: [Double] = []
    /// The index of the key that was inserted last, as a hint: consecutive events usually have the same key.
    private var recent: UInt32 = 0

    package init() {}

    package var count: Int { numbers.count }

    /// Inserts a key. Returns true if the key is new.
    package mutating func insert(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        let index = Int(keys.intern(key, &recent))
        guard index > numbers.count else { return false }
        numbers.append(0)
        return true
    }

    /// Adds to a key's number. Returns the largest of all numbers.
    /// - Parameter largest: the largest number before the call.
    /// - Complexity: O(1), or O(keys) if the key with the largest number gets a lower one.
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
