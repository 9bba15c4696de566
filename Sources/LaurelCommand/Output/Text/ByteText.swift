// SPDX-License-Identifier: Apache-2.0

/// Sizes in bytes, for people.
enum ByteText {
    private static let units: [(name: String, bytes: Int)] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]

    /// The size in the largest unit in which the number is at least ten.
    static func size(_ bytes: some BinaryInteger) -> String {
        let bytes = Int(clamping: bytes)
        let unit = units.first { bytes >= 10 * $0.bytes } ?? ("KiB", 1 << 10)
        return "\(Numbers.grouped(bytes / unit.bytes)) \(unit.name)"
    }
}
