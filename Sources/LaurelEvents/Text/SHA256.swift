// SPDX-License-Identifier: Apache-2.0

internal import CNettle

/// SHA-256 (FIPS 180-4) by nettle, which uses the processor's SHA instructions if there are any.
package struct SHA256 {
    private var context = sha256_ctx()

    package init() { nettle_sha256_init(&context) }

    package static func hash(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { hash($0) } }

    package static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        nettle_sha256_update(&context, bytes.count, start.assumingMemoryBound(to: UInt8.self))
    }

    /// Returns the 32 bytes of the hash, and starts a new hash.
    package mutating func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_SIZE)) { buffer, count in
            count = Int(SHA256_DIGEST_SIZE)
            nettle_sha256_digest(&context, count, buffer.baseAddress)
        }
    }
}
