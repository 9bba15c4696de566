/// SHA-256 (FIPS 180-4). Of the C libraries in use none exports a hash that is meant to be compared between machines.
package struct SHA256 {
    private var state = Words(
        a: 0x6a09_e667,
        b: 0xbb67_ae85,
        c: 0x3c6e_f372,
        d: 0xa54f_f53a,
        e: 0x510e_527f,
        f: 0x9b05_688c,
        g: 0x1f83_d9ab,
        h: 0x5be0_cd19
    )
    /// What does not fill a block yet.
    private var pending: [UInt8] = []
    private var length: UInt64 = 0

    package init() {}

    package static func hash(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { hash($0) } }

    package static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        length += UInt64(bytes.count)
        var rest = bytes[...]
        if !pending.isEmpty {
            let taken = rest.prefix(64 - pending.count)
            pending += taken
            rest = rest.dropFirst(taken.count)
            guard pending.count == 64 else { return }
            pending.withUnsafeBytes { state.compress($0, blocks: 1) }
            pending.removeAll(keepingCapacity: true)
        }
        let blocks = rest.count / 64
        if blocks > 0 { state.compress(UnsafeRawBufferPointer(rebasing: rest), blocks: blocks) }
        pending += rest.dropFirst(64 * blocks)
    }

    package mutating func finish() -> [UInt8] {
        let bits = length &* 8
        var padding: [UInt8] = [0x80]
        padding += repeatElement(0, count: (119 - pending.count % 64) % 64)
        withUnsafeBytes(of: bits.bigEndian) { padding += $0 }
        update(padding)
        return withUnsafeBytes(of: state.bigEndian) { Array($0) }
    }
}

/// The eight words of the state, as values, so that a block is worked on in registers.
private struct Words {
    var a: UInt32
    var b: UInt32
    var c: UInt32
    var d: UInt32
    var e: UInt32
    var f: UInt32
    var g: UInt32
    var h: UInt32

    var bigEndian: Words {
        Words(
            a: a.bigEndian,
            b: b.bigEndian,
            c: c.bigEndian,
            d: d.bigEndian,
            e: e.bigEndian,
            f: f.bigEndian,
            g: g.bigEndian,
            h: h.bigEndian
        )
    }

    mutating func compress(_ bytes: UnsafeRawBufferPointer, blocks: Int) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            let words = schedule.baseAddress!
            SHA256.constants.withUnsafeBufferPointer { constants in
                for block in 0..<blocks {
                    Words.expand(bytes.baseAddress! + 64 * block, into: words)
                    add(rounds(words, constants.baseAddress!))
                }
            }
        }
    }

    private static func expand(_ block: UnsafeRawPointer, into words: UnsafeMutablePointer<UInt32>) {
        for index in 0..<16 {
            words[index] = block.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self).bigEndian
        }
        for index in 16..<64 {
            let (a, b) = (words[index - 15], words[index - 2])
            let s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >> 3)
            let s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >> 10)
            words[index] = words[index - 16] &+ s0 &+ words[index - 7] &+ s1
        }
    }

    private func rounds(_ words: UnsafePointer<UInt32>, _ constants: UnsafePointer<UInt32>) -> Words {
        var next = self
        for index in 0..<64 {
            let s1 = rotate(next.e, 6) ^ rotate(next.e, 11) ^ rotate(next.e, 25)
            let choice = (next.e & next.f) ^ (~next.e & next.g)
            let first = next.h &+ s1 &+ choice &+ constants[index] &+ words[index]
            let s0 = rotate(next.a, 2) ^ rotate(next.a, 13) ^ rotate(next.a, 22)
            let majority = (next.a & next.b) ^ (next.a & next.c) ^ (next.b & next.c)
            next = Words(
                a: first &+ s0 &+ majority,
                b: next.a,
                c: next.b,
                d: next.c,
                e: next.d &+ first,
                f: next.e,
                g: next.f,
                h: next.g
            )
        }
        return next
    }

    private mutating func add(_ other: Words) {
        a &+= other.a
        b &+= other.b
        c &+= other.c
        d &+= other.d
        e &+= other.e
        f &+= other.f
        g &+= other.g
        h &+= other.h
    }
}

@inline(__always)
private func rotate(_ value: UInt32, _ by: UInt32) -> UInt32 { value >> by | value << (32 - by) }

extension SHA256 {
    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    fileprivate static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
