// SPDX-License-Identifier: Apache-2.0

/// A key that was met, as it stands with its quotes and the colon behind it.
struct KnownKey<Meaning: BitwiseCopyable> {
    typealias Words = (UInt64, UInt64, UInt64, UInt64)

    /// Zeros follow it. Of the key that stands before all others, bits that no mask leaves.
    private let token: Words
    /// Ones where a byte is the token's.
    private let mask: Words
    /// Of the token.
    let size: Int
    /// Its number among the keys of its list, as a bit.
    let bit: UInt64
    /// Which key followed it last.
    var next: UnsafeMutablePointer<KnownKey>
    var meaning: Meaning

    /// Of a token, in bytes.
    static var longest: Int { MemoryLayout<Words>.size }

    /// - Parameter token: at most ``longest`` bytes; empty for what stands before the first key.
    init(_ token: UnsafeBufferPointer<UInt8>, bit: UInt64, next: UnsafeMutablePointer<KnownKey>, _ meaning: Meaning) {
        var (words, mask): (Words, Words) = ((token.isEmpty ? 1 : 0, 0, 0, 0), (0, 0, 0, 0))
        withUnsafeMutableBytes(of: &words) { if !token.isEmpty { $0.copyBytes(from: token) } }
        withUnsafeMutableBytes(of: &mask) { for index in token.indices { $0[index] = 0xFF } }
        (self.token, self.mask, size) = (words, mask, token.count)
        (self.bit, self.next, self.meaning) = (bit, next, meaning)
    }

    /// Whether the key stands here. No byte behind a control character is read but for 15.
    @inline(__always)
    func stands(at place: UnsafePointer<UInt8>) -> Bool {
        let raw = UnsafeRawPointer(place)
        func word(_ index: Int) -> UInt64 { raw.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self) }
        guard ((word(0) & mask.0) ^ token.0) | ((word(1) & mask.1) ^ token.1) == 0 else { return false }
        return size <= 16 || ((word(2) & mask.2) ^ token.2) | ((word(3) & mask.3) ^ token.3) == 0
    }

    func withToken(_ body: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeBytes(of: token) { body(UnsafeRawBufferPointer(rebasing: $0[0..<size])) }
    }
}

/// The keys that were met in objects of one kind, and which of them followed which. Copies share their memory.
struct KnownKeys<Meaning: BitwiseCopyable> {
    typealias Key = KnownKey<Meaning>

    /// Stands before the first key of an object, and nowhere in it.
    let start: UnsafeMutablePointer<Key>
    private let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    /// Each has a bit.
    private static var capacity: Int { 64 }

    init(_ none: Meaning) {
        start = .allocate(capacity: Self.capacity)
        start.initialize(to: Key(UnsafeBufferPointer(start: nil, count: 0), bit: 0, next: start, none))
        count.initialize(to: 1)
    }

    func deallocate() {
        start.deallocate()
        count.deallocate()
    }

    /// The key that stands here, mostly the one that followed the key before it last time; nil where none of these does.
    @inline(__always)
    func key(
        at place: UnsafePointer<UInt8>,
        after previous: UnsafeMutablePointer<Key>
    ) -> UnsafeMutablePointer<Key>? {
        let expected = previous.pointee.next
        return expected.pointee.stands(at: place) ? expected : find(at: place, after: previous)
    }

    @inline(never)
    private func find(
        at place: UnsafePointer<UInt8>,
        after previous: UnsafeMutablePointer<Key>
    ) -> UnsafeMutablePointer<Key>? {
        for index in 1..<count.pointee where start[index].stands(at: place) {
            previous.pointee.next = start + index
            return start + index
        }
        return nil
    }

    /// - Parameter token: with quotes and colon.
    /// - Returns: nil where there is no room for the key.
    func add(_ token: UnsafeBufferPointer<UInt8>, _ meaning: Meaning) -> UnsafeMutablePointer<Key>? {
        guard count.pointee < Self.capacity, token.count <= Key.longest else { return nil }
        let key = start + count.pointee
        key.initialize(to: Key(token, bit: 1 << UInt64(count.pointee), next: start, meaning))
        count.pointee += 1
        return key
    }
}
