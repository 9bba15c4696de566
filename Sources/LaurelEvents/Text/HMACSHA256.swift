// SPDX-License-Identifier: Apache-2.0

internal import CNettle

/// HMAC with SHA-256 (RFC 2104): a hash that only somebody with the key can compute.
package struct HMACSHA256: Sendable {
    private var context = hmac_sha256_ctx()

    package init(key: [UInt8]) {
        key.withUnsafeBufferPointer { nettle_hmac_sha256_set_key(&context, $0.count, $0.baseAddress) }
    }

    /// Returns the 32 bytes of a message's hash.
    package func hash(_ message: [UInt8]) -> [UInt8] {
        var context = context
        message.withUnsafeBufferPointer { nettle_hmac_sha256_update(&context, $0.count, $0.baseAddress) }
        return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_SIZE)) { buffer, count in
            count = Int(SHA256_DIGEST_SIZE)
            nettle_hmac_sha256_digest(&context, count, buffer.baseAddress)
        }
    }
}
