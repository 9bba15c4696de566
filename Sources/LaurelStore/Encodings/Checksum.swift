// SPDX-License-Identifier: Apache-2.0

internal import CCheckedPages

/// The XXH3 checksum of data that is stored outside blocks.
enum Checksum {
    /// The checksum of some bytes and of the key of their row. If the bytes are copied to another row, the checksum
    /// no longer matches.
    static func of(_ bytes: UnsafeRawBufferPointer, key: (Int64, Int64, Int64)) -> UInt64 {
        let key = (key.0.littleEndian, key.1.littleEndian, key.2.littleEndian)
        let seed = withUnsafeBytes(of: key) { laurel_xxh3($0.baseAddress, $0.count, 0) }
        return laurel_xxh3(bytes.baseAddress, bytes.count, seed)
    }
}
