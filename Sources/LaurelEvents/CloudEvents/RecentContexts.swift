// SPDX-License-Identifier: Apache-2.0

/// A cache of recent events' attributes, by source. The next event of a source usually has the same attributes.
/// Comparing attributes is cheaper than hashing and checking them again.
///
/// A cache is valid for one table, until it is cleared. Not thread-safe.
final class RecentContexts {
    /// The attributes as indexes into the table's texts; 0 if an attribute was absent. The language and the time zone
    /// are known to be valid.
    struct Context: BitwiseCopyable {
        var source: UInt32 = 0
        var subject: UInt32 = 0
        var language: UInt32 = 0
        var session: UInt32 = 0
        var timezone: UInt32 = 0
    }

    private let contexts = UnsafeMutablePointer<Context>.allocate(capacity: RecentContexts.capacity)
    /// The indexes of the slots that are in use.
    private let used = UnsafeMutablePointer<UInt16>.allocate(capacity: RecentContexts.capacity)
    private var usedCount = 0
    /// The stretches of each slot's source; created on first use.
    private var stretches: UnsafeMutablePointer<AttributeStretch>?
    /// The stretches of the current line (see ``AttributeStretch``). They are kept if the event is valid.
    let walks = UnsafeMutablePointer<StretchWalk>.allocate(capacity: AttributeStretch.kinds)

    /// The number of slots. This number of contexts fits into the processor's cache.
    private static let capacity = 1024

    init() { contexts.initialize(repeating: Context(), count: RecentContexts.capacity) }

    deinit {
        contexts.deallocate()
        used.deallocate()
        stretches?.deallocate()
        walks.deallocate()
    }

    /// The stretches of all slots, ``AttributeStretch/kinds`` per slot. Created if necessary.
    func madeStretches() -> UnsafeMutablePointer<AttributeStretch> {
        if let stretches { return stretches }
        let count = RecentContexts.capacity * AttributeStretch.kinds
        let made = UnsafeMutablePointer<AttributeStretch>.allocate(capacity: count)
        made.initialize(repeating: AttributeStretch(), count: count)
        stretches = made
        return made
    }

    /// The slot for a source's context. The slot may contain the context of another source. A slot without a source
    /// is unused.
    @inline(__always)
    func slot(of source: UnsafeBufferPointer<UInt8>) -> UnsafeMutablePointer<Context> {
        contexts + RecentContexts.number(of: source)
    }

    @inline(__always)
    func offset(of slot: UnsafeMutablePointer<Context>) -> Int { slot - contexts }

    /// Marks a slot as used. Call it before the slot gets its first source.
    @inline(__always)
    func use(_ slot: UnsafeMutablePointer<Context>) {
        assert(usedCount < RecentContexts.capacity && slot.pointee.source == 0)
        used[usedCount] = UInt16(truncatingIfNeeded: slot - contexts)
        usedCount += 1
    }

    func forget() {
        for index in 0..<usedCount {
            let slot = Int(used[index])
            contexts[slot] = Context()
            guard let stretches else { continue }
            for kind in 0..<AttributeStretch.kinds {
                stretches[slot * AttributeStretch.kinds + kind] = AttributeStretch()
            }
        }
        usedCount = 0
    }

    /// Hashes the last 16 bytes of a source, because sources of one app differ at the end.
    @inline(__always)
    private static func number(of source: UnsafeBufferPointer<UInt8>) -> Int {
        let raw = UnsafeRawBufferPointer(source)
        guard raw.count >= 8 else { return raw.count == 0 ? 0 : Int(raw[raw.count - 1]) }
        let last = raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self)
        let before = raw.loadUnaligned(fromByteOffset: max(raw.count - 16, 0), as: UInt64.self)
        let mixed = (last &* 0x9E37_79B9_7F4A_7C15) ^ (before &* 0xC2B2_AE3D_27D4_EB4F)
        return Int(truncatingIfNeeded: mixed >> 54)
    }
}
