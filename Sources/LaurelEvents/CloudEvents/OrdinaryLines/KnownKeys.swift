// SPDX-License-Identifier: Apache-2.0

/// A known key, as written: with its quotes and the colon after it.
struct KnownKey<Meaning: BitwiseCopyable> {
    typealias Words = (UInt64, UInt64, UInt64, UInt64)

    /// The key's bytes, followed by zeros. In the start key, bits that no mask keeps, so that it never matches.
    private let token: Words
    /// Ones for each byte of the token.
    private let mask: Words
    /// Length of the token in bytes.
    let size: Int
    /// A bit for the key's index in its list.
    let bit: UInt64
    /// The key that followed this key most recently.
    var next: UnsafeMutablePointer<KnownKey>
    var meaning: Meaning

    /// Maximum length of a token in bytes.
    static var longest: Int { MemoryLayout<Words>.size }

    /// - Parameter token: at most ``longest`` bytes; empty for the start key.
    init(_ token: UnsafeBufferPointer<UInt8>, bit: UInt64, next: UnsafeMutablePointer<KnownKey>, _ meaning: Meaning) {
        var (words, mask): (Words, Words) = ((token.isEmpty ? 1 : 0, 0, 0, 0), (0, 0, 0, 0))
        withUnsafeMutableBytes(of: &words) { if !token.isEmpty { $0.copyBytes(from: token) } }
        withUnsafeMutableBytes(of: &mask) { for index in token.indices { $0[index] = 0xFF } }
        (self.token, self.mask, size) = (words, mask, token.count)
        (self.bit, self.next, self.meaning) = (bit, next, meaning)
    }

    /// True if the key is at a place. At most 15 bytes after a control character are read.
    @inline(__always)
    func matches(at pointer: UnsafePointer<UInt8>) -> Bool {
        let raw = UnsafeRawPointer(pointer)
        func word(_ index: Int) -> UInt64 { raw.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self) }
        guard ((word(0) & mask.0) ^ token.0) | ((word(1) & mask.1) ^ token.1) == 0 else { return false }
        return size <= 16 || ((word(2) & mask.2) ^ token.2) | ((word(3) & mask.3) ^ token.3) == 0
    }

    func withToken(_ body: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeBytes(of: token) { body(UnsafeRawBufferPointer(rebasing: $0[0..<size])) }
    }
}

/// The known keys of one kind of object, and which key followed each. Copies share their memory.
struct KnownKeys<Meaning: BitwiseCopyable> {
    typealias Key = KnownKey<Meaning>

    /// The start key: precedes the first key of an object, and never matches.
    let start: UnsafeMutablePointer<Key>
    private let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    /// The maximum number of keys, since each has a bit.
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

    /// The known key at a place, mostly the one that followed the previous key last time; nil if no known key is there.
    @inline(__always)
    func key(
        at pointer: UnsafePointer<UInt8>,
        after previous: UnsafeMutablePointer<Key>
    ) -> UnsafeMutablePointer<Key>? {
        let expected = previous.pointee.next
        return expected.pointee.matches(at: pointer) ? expected : find(at: pointer, after: previous)
    }

    @inline(never)
    private func find(
        at pointer: UnsafePointer<UInt8>,
        after previous: UnsafeMutablePointer<Key>
    ) -> UnsafeMutablePointer<Key>? {
        for index in 1..<count.pointee where start[index].matches(at: pointer) {
            previous.pointee.next = start + index
            return start + index
        }
        return nil
    }

    /// Adds a key.
    /// - Parameter token: with quotes and colon.
    /// - Returns: nil if there is no room for the key.
    func add(_ token: UnsafeBufferPointer<UInt8>, _ meaning: Meaning) -> UnsafeMutablePointer<Key>? {
        guard count.pointee < Self.capacity, token.count <= Key.longest else { return nil }
        let key = start + count.pointee
        key.initialize(to: Key(token, bit: 1 << UInt64(count.pointee), next: start, meaning))
        count.pointee += 1
        return key
    }
}
