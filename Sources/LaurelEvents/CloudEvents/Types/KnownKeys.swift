// SPDX-License-Identifier: Apache-2.0

/// A known key, as it is written in ordinary lines: with its quotes and the colon after it. Ordinary lines have no
/// escapes, and no nested values in `data`.
struct KnownKey<Meaning: BitwiseCopyable> {
    typealias Words = (UInt64, UInt64, UInt64, UInt64)

    /// The key's bytes, followed by zeros. The start key and the spare key have bits that `mask` removes from any
    /// text, so they never match.
    private let token: Words
    /// Ones for each byte of the token.
    private let mask: Words
    /// Length of the token in bytes.
    let size: Int
    /// A bit for the key's index in its list; 0 for the start key and the spare key.
    let bit: UInt64
    /// The key that followed this key most recently.
    var next: UnsafeMutablePointer<KnownKey>
    var meaning: Meaning

    /// Maximum length of a token in bytes.
    static var longest: Int { MemoryLayout<Words>.size }

    /// A key that never matches.
    init(next: UnsafeMutablePointer<KnownKey>, _ meaning: Meaning) {
        (token, mask, size, bit) = ((1, 0, 0, 0), (0, 0, 0, 0), 0, 0)
        (self.next, self.meaning) = (next, meaning)
    }

    /// - Parameter name: at most ``longest`` bytes with quotes and colon, without escapes.
    init(_ name: UnsafeBufferPointer<UInt8>, bit: UInt64, next: UnsafeMutablePointer<KnownKey>, _ meaning: Meaning) {
        let token = [UInt8(ascii: "\"")] + Array(name) + Array("\":".utf8)
        var (words, mask): (Words, Words) = ((0, 0, 0, 0), (0, 0, 0, 0))
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: token) }
        withUnsafeMutableBytes(of: &mask) { for index in token.indices { $0[index] = 0xFF } }
        (self.token, self.mask, size) = (words, mask, token.count)
        (self.bit, self.next, self.meaning) = (bit, next, meaning)
    }

    /// True if the key is at a pointer. At most 15 bytes after a control character are read.
    @inline(__always)
    func stands(at pointer: UnsafePointer<UInt8>) -> Bool {
        let raw = UnsafeRawPointer(pointer)
        func word(_ index: Int) -> UInt64 { raw.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self) }
        guard ((word(0) & mask.0) ^ token.0) | ((word(1) & mask.1) ^ token.1) == 0 else { return false }
        return size <= 16 || ((word(2) & mask.2) ^ token.2) | ((word(3) & mask.3) ^ token.3) == 0
    }

    /// True if this is the key of a name.
    @inline(__always)
    func isKey(of name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard size == name.count + KnownKeys<Meaning>.punctuation else { return false }
        return withUnsafeBytes(of: token) {
            name.isEqual(to: UnsafeBufferPointer(rebasing: $0.bindMemory(to: UInt8.self)[1..<size - 2]))
        }
    }

    /// The key's name with its quotes.
    var quotedName: [UInt8] { withUnsafeBytes(of: token) { Array($0[0..<size - 1]) } }
}

/// The known keys of one kind of object. Each key refers to the key that followed it last time. Copies share their
/// memory.
struct KnownKeys<Meaning: BitwiseCopyable> {
    typealias Key = KnownKey<Meaning>
    typealias Pointer = UnsafeMutablePointer<Key>

    /// The number of bytes of a key in a line in addition to the name.
    static var punctuation: Int { 3 }

    /// The start key. It precedes the first key of an object, and never matches.
    let start: Pointer
    private let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    /// The maximum number of keys. Each key has one bit of a word.
    private static var capacity: Int { 64 }

    init(_ none: Meaning) {
        start = .allocate(capacity: Self.capacity + 1)
        start.initialize(to: Key(next: start, none))
        count.initialize(to: 1)
    }

    func deallocate() {
        start.deallocate()
        count.deallocate()
    }

    /// The known key at a pointer; nil if there is none. The key that followed the previous key last time is tried
    /// first.
    @inline(__always)
    func key(at pointer: UnsafePointer<UInt8>, after previous: Pointer) -> Pointer? {
        let expected = previous.pointee.next
        return expected.pointee.stands(at: pointer)
            ? expected : find(after: previous) { $0.pointee.stands(at: pointer) }
    }

    /// The known key with a name; nil if there is none. The key that followed the previous key last time is tried
    /// first.
    @inline(__always)
    func key(named name: UnsafeBufferPointer<UInt8>, after previous: Pointer) -> Pointer? {
        let expected = previous.pointee.next
        return expected.pointee.isKey(of: name) ? expected : find(after: previous) { $0.pointee.isKey(of: name) }
    }

    @inline(never)
    private func find(after previous: Pointer, where matches: (Pointer) -> Bool) -> Pointer? {
        for index in 1..<count.pointee where matches(start + index) {
            previous.pointee.next = start + index
            return start + index
        }
        return nil
    }

    /// Adds a key.
    /// - Parameter name: without escapes.
    /// - Returns: nil if there is no room for the key.
    func add(_ name: UnsafeBufferPointer<UInt8>, _ meaning: Meaning) -> Pointer? {
        guard count.pointee < Self.capacity, name.count + Self.punctuation <= Key.longest else { return nil }
        let key = start + count.pointee
        key.initialize(to: Key(name, bit: 1 << UInt64(count.pointee), next: start, meaning))
        count.pointee += 1
        return key
    }

    /// Gives the spare key a meaning. The spare key has no name. It is valid until the next call.
    func setSpare(_ meaning: Meaning) -> Pointer {
        let key = start + Self.capacity
        key.initialize(to: Key(next: start, meaning))
        return key
    }
}
