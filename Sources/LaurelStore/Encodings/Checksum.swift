// SPDX-License-Identifier: Apache-2.0

internal import CCheckedPages

/// XXH3, for what is stored outside blocks.
enum Checksum {
    /// Of bytes, and of the numbers that they belong to: a row that gets another row's key shows.
    static func of(_ bytes: UnsafeRawBufferPointer, key: (Int64, Int64, Int64)) -> UInt64 {
        let key = (key.0.littleEndian, key.1.littleEndian, key.2.littleEndian)
        let seed = withUnsafeBytes(of: key) { laurel_xxh3($0.baseAddress, $0.count, 0) }
        return laurel_xxh3(bytes.baseAddress, bytes.count, seed)
    }
}
