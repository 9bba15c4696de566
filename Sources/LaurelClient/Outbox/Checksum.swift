// SPDX-License-Identifier: Apache-2.0

/// The CRC-32 checksum of zip and Ethernet (polynomial 0xEDB88320).
enum Checksum {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    static func of(_ bytes: some Collection<UInt8>) -> UInt32 {
        bytes.withContiguousStorageIfAvailable(of) ?? Array(bytes).withUnsafeBufferPointer(of)
    }

    private static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            var sum: UInt32 = ~0
            for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8) }
            return ~sum
        }
    }
}
