// SPDX-License-Identifier: Apache-2.0

/// Distinct texts by index. Index 0 is "no text".
///
/// Interning costs one hash of the text. A table that is only read, such as a decoded block, never builds the hash
/// index.
package struct TextTable: Sendable {
    package private(set) var bytes: [UInt8] = []
    /// `ends[i]` is the end of text i in `bytes`. Text i starts at the end of text i − 1. A learner with millions of
    /// events may have more than 4 GiB of texts.
    package private(set) var ends = TextTable.endsOfEmpty
    /// A hash index with open addressing. Its size is a power of two. A slot contains the upper half of the text's
    /// hash, and below it the text's index. The stored half usually shows that a text differs, without reading the
    /// text. Empty until the first interning.
    private var slots: [UInt64] = []
    private var used = 0

    /// The seeds of ``slotHash(_:)``.
    private let seeds = TextTable.seeds

    private static let seeds = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))
    /// One array that all empty tables share, because there are many empty tables.
    private static let endsOfEmpty = [0]

    package init() {}

    /// A table over existing texts. `ends` starts with the end of text 0, which is empty.
    package init(bytes: [UInt8], ends: [Int]) {
        precondition(ends.first == 0 && ends.last! == bytes.count)
        self.bytes = bytes
        self.ends = ends
    }

    package var count: Int { ends.count }
    /// The approximate memory of the texts.
    package var byteCount: Int {
        bytes.count + ends.count * MemoryLayout<Int>.stride + slots.count * MemoryLayout<UInt64>.stride
    }

    @inline(__always)
    package func range(_ index: UInt32) -> Range<Int> {
        index == 0 ? 0..<0 : ends[Int(index) - 1]..<ends[Int(index)]
    }

    package subscript(index: UInt32) -> ArraySlice<UInt8> { bytes[range(index)] }

    /// Calls a body with a function that returns each text's bytes. The bytes are valid while the body runs.
    package func withTexts<Result>(_ body: ((UInt32) -> UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            ends.withUnsafeBufferPointer { ends in
                body { index in
                    guard index != 0 else { return UnsafeBufferPointer(rebasing: bytes[0..<0]) }
                    return UnsafeBufferPointer(rebasing: bytes[ends[Int(index) - 1]..<ends[Int(index)]])
                }
            }
        }
    }

    /// Indexes in the byte order of their texts.
    package func sorted(_ indexes: [UInt32]) -> [UInt32] {
        guard indexes.count > 1 else { return indexes }
        return withTexts { text in
            let shared = TextTable.sharedStart(indexes, text)
            // Usually the eight bytes after the common beginning decide.
            var keyed = indexes.map { index in
                (start: TextTable.start(UnsafeBufferPointer(rebasing: text(index)[shared...])), index: index)
            }
            keyed.sort {
                $0.start != $1.start ? $0.start < $1.start : text($0.index).lexicographicallyPrecedes(text($1.index))
            }
            return keyed.map(\.index)
        }
    }

    /// The number of bytes that all texts begin with.
    private static func sharedStart(_ indexes: [UInt32], _ text: (UInt32) -> UnsafeBufferPointer<UInt8>) -> Int {
        let first = text(indexes[0])
        var shared = first.count
        for index in indexes {
            if shared == 0 { break }
            let other = text(index)
            var same = 0
            while same < min(shared, other.count), first[same] == other[same] { same += 1 }
            shared = same
        }
        return shared
    }

    /// The first eight bytes as a number. Such numbers have the order of the texts. Missing bytes are zeros.
    private static func start(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var start: UInt64 = 0
        for index in 0..<min(8, text.count) { start |= UInt64(text[index]) << UInt64(56 - 8 * index) }
        return start
    }

    package func string(_ index: UInt32) -> String { String(decoding: bytes[range(index)], as: UTF8.self) }

    /// Appends a text without a search for an equal text. Use it for texts that are rarely repeated.
    package mutating func append(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
        bytes.append(contentsOf: text)
        ends.append(bytes.count)
        return UInt32(ends.count - 1)
    }

    /// Interns a text that is probably equal to the text at index `recent`, and sets `recent` to its index. Comparing
    /// is cheaper than hashing.
    @inline(__always)
    package mutating func intern(_ text: UnsafeBufferPointer<UInt8>, _ recent: inout UInt32) -> UInt32 {
        if !equals(recent, text) { recent = intern(text) }
        return recent
    }

    /// The index of an equal text. If there is none, the text is appended.
    /// - Complexity: O(length), amortised.
    package mutating func intern(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
        if used * 2 >= slots.count { grow() }
        let hash = slotHash(text)
        let (index, slot) = probe(text, hash)
        if index != 0 { return index }
        let appended = append(text)
        slots[slot] = hash & TextTable.tagMask | UInt64(appended)
        used += 1
        return appended
    }

    /// Removes all texts. Keeps the memory unless it is large.
    package mutating func removeAll() {
        guard count > 1 else { return }
        guard slots.count <= 1024 else {
            self = TextTable()
            return
        }
        bytes.removeAll(keepingCapacity: true)
        ends.removeLast(count - 1)
        for index in slots.indices { slots[index] = 0 }
        used = 0
    }

    private static let tagMask: UInt64 = 0xFFFF_FFFF_0000_0000

    /// The index of an equal interned text, or 0, and the text's slot. The table of slots must not be empty.
    @inline(__always)
    private func probe(_ text: UnsafeBufferPointer<UInt8>, _ hash: UInt64) -> (index: UInt32, slot: Int) {
        slots.withUnsafeBufferPointer { slots in
            let mask = slots.count - 1
            var slot = TextTable.slot(hash, of: slots.count)
            while slots[slot] != 0 {
                let index = UInt32(truncatingIfNeeded: slots[slot])
                if (slots[slot] ^ hash) & TextTable.tagMask == 0, equal(index, text) { return (index, slot) }
                slot = (slot + 1) & mask
            }
            return (0, slot)
        }
    }

    package mutating func intern(_ text: some Sequence<UInt8>) -> UInt32 {
        let array = ContiguousArray(text)
        return array.withUnsafeBufferPointer { intern($0) }
    }

    package mutating func intern(_ text: String) -> UInt32 {
        var text = text
        return text.withUTF8 { intern($0) }
    }

    /// The index of an equal interned text, or nil.
    package func find(_ text: UnsafeBufferPointer<UInt8>) -> UInt32? {
        guard !slots.isEmpty else { return nil }
        let index = probe(text, slotHash(text)).index
        return index == 0 ? nil : index
    }

    /// True if a text is at an index, which may be out of range.
    @inline(__always)
    package func equals(_ index: UInt32, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        index != 0 && Int(index) < ends.count && equal(index, text)
    }

    package func equals(_ index: UInt32, _ text: String) -> Bool {
        guard index != 0, Int(index) < ends.count, ends[Int(index)] - ends[Int(index) - 1] == text.utf8.count
        else { return false }
        var text = text
        return text.withUTF8 { equals(index, $0) }
    }

    /// - Parameter index: the index of an existing text, not 0.
    @inline(__always)
    private func equal(_ index: UInt32, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let (start, end) = ends.withUnsafeBufferPointer { ($0[Int(index) - 1], $0[Int(index)]) }
        guard end &- start == text.count else { return false }
        guard text.count > 0 else { return true }
        return bytes.withUnsafeBufferPointer { text.isSameBytes(as: $0.baseAddress! + start) }
    }

    /// The slot of a hash. Only the upper half of the hash matters, because slots contain only that half.
    @inline(__always)
    private static func slot(_ hash: UInt64, of count: Int) -> Int {
        Int(truncatingIfNeeded: hash >> UInt64(64 - count.trailingZeroBitCount))
    }

    private mutating func grow() {
        let entries = slots
        slots = Array(repeating: 0, count: max(64, slots.count * 2))
        let mask = slots.count - 1
        for entry in entries where entry != 0 {
            var slot = TextTable.slot(entry, of: slots.count)
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = entry
        }
    }

    /// The hash for ``slots``, which is not stored anywhere else. It reads words of eight bytes, which overlap at the
    /// end of the text, and multiplies them into 128 bits (after wyhash). Each process has its own seed. So no sender
    /// can construct texts with equal hashes.
    @inline(__always)
    private func slotHash(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let raw = UnsafeRawBufferPointer(text)
        var (first, last): (UInt64, UInt64) = (0, 0)
        var state = seeds.0
        switch raw.count {
        case 0: break
        case 1...3:
            first = UInt64(raw[0]) << 16 | UInt64(raw[raw.count >> 1]) << 8 | UInt64(raw[raw.count - 1])
        case 4...7:
            first = UInt64(raw.loadUnaligned(as: UInt32.self))
            last = UInt64(raw.loadUnaligned(fromByteOffset: raw.count - 4, as: UInt32.self))
        default:
            var index = 0
            while index + 16 < raw.count {
                state = TextTable.fold(
                    raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ seeds.1,
                    raw.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self) ^ state
                )
                index += 16
            }
            first = raw.loadUnaligned(fromByteOffset: max(raw.count - 16, 0), as: UInt64.self)
            last = raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self)
        }
        return TextTable.fold(seeds.1 ^ UInt64(raw.count), TextTable.fold(first ^ seeds.1, last ^ state))
    }

    @inline(__always)
    private static func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = one.multipliedFullWidth(by: other)
        return product.high ^ product.low
    }

    /// A 64-bit hash of bytes that is the same in every run and on every machine. It multiplies eight bytes at a time.
    /// The last step is the finalizer of MurmurHash3.
    @inline(__always)
    package static func hash(_ text: UnsafeBufferPointer<UInt8>, seed: UInt64 = 0x9E37_79B9_7F4A_7C15) -> UInt64 {
        var state = seed ^ (UInt64(text.count) &* 0xFF51_AFD7_ED55_8CCD)
        let raw = UnsafeRawBufferPointer(text)
        var index = 0
        while index + 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            state = mix(state ^ word)
            index += 8
        }
        var rest: UInt64 = 0
        while index < raw.count {
            rest = rest << 8 | UInt64(raw[index])
            index += 1
        }
        return mix(state ^ rest)
    }

    @inline(__always)
    package static func mix(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ (value >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        value = (value ^ (value >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return value ^ (value >> 33)
    }
}
