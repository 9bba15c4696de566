// SPDX-License-Identifier: Apache-2.0

/// Different numbers in ascending order, as their distances in a Golomb-Rice code. For random numbers, that is close to
/// the smallest possible size.
///
///     count (varint), k (byte); then each number, the lowest bit first: distance >> k in unary (ones, then a
///     zero), and the k low bits. A distance is that from the previous number, minus one; the first is from `low`.
///     If the unary part had 24 ones or more, 24 ones are written, and then all 64 bits of the distance.
enum SortedNumbers {
    private static let longestUnary = 24

    static func encode(_ numbers: ArraySlice<Int64>, from low: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(varint: numbers.count)
        guard let last = numbers.last else { return bytes }
        let mean = UInt64(last &- low) / UInt64(numbers.count)
        let low = UInt64(bitPattern: low)
        let shift = mean < 2 ? 0 : 63 - mean.leadingZeroBitCount
        bytes.append(UInt8(shift))
        var writer = BitWriter(bytes)
        var expected = low
        for number in numbers {
            let distance = UInt64(bitPattern: number) &- expected
            let quotient = distance >> UInt64(shift)
            if quotient < UInt64(longestUnary) {
                writer.append((1 << quotient) - 1, bits: Int(quotient) + 1)
                writer.append(distance & ((1 << UInt64(shift)) - 1), bits: shift)
            } else {
                writer.append((1 << UInt64(longestUnary)) - 1, bits: longestUnary)
                writer.append(distance & 0xFFFF_FFFF, bits: 32)
                writer.append(distance >> 32, bits: 32)
            }
            expected = UInt64(bitPattern: number) &+ 1
        }
        return writer.finish()
    }

    /// - Parameter limit: the maximum number of numbers. A larger count is damage.
    static func decode(_ data: UnsafeRawBufferPointer, from low: Int64, limit: Int) throws(Corruption) -> [Int64] {
        var reader = ByteReader(data)
        let count = try reader.count(limit: limit)
        guard count > 0 else { return [] }
        let shift = Int(try reader.byte())
        guard shift < 32 else { throw Corruption("numbers of too many bits") }
        var bits = BitReader(UnsafeRawBufferPointer(rebasing: data[reader.position...]))
        var numbers: [Int64] = []
        numbers.reserveCapacity(count)
        var expected = UInt64(bitPattern: low)
        for _ in 0..<count {
            let quotient = try bits.readOnes(limit: longestUnary)
            let distance: UInt64
            if quotient < longestUnary {
                distance = UInt64(quotient) << UInt64(shift) | (try bits.take(shift))
            } else {
                let lower = try bits.take(32)
                distance = lower | (try bits.take(32)) << 32
            }
            let number = expected &+ distance
            numbers.append(Int64(bitPattern: number))
            expected = number &+ 1
        }
        return numbers
    }
}

/// Appends bits to bytes, the lowest bit first.
private struct BitWriter {
    private var bytes: [UInt8]
    private var pending: UInt64 = 0
    private var count = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// - Parameter bits: the number of bits, 0 … 32. `value` must be less than 2^bits.
    mutating func append(_ value: UInt64, bits: Int) {
        pending |= value << UInt64(count)
        count += bits
        while count >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            count -= 8
        }
    }

    consuming func finish() -> [UInt8] {
        if count > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
        return bytes
    }
}

private struct BitReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    /// The loaded bits. The bits above the first `count` are zeros, or the next bits of the input.
    private var pending: UInt64 = 0
    private var count = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Loads as many whole bytes as fit into `pending`.
    private mutating func load() {
        if position + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            pending |= word &<< UInt64(count)
            position += (63 - count) >> 3
            count |= 56
        } else {
            while count <= 56, position < bytes.count {
                pending |= UInt64(bytes[position]) &<< UInt64(count)
                position += 1
                count += 8
            }
        }
    }

    private mutating func drop(_ bits: Int) throws(Corruption) {
        guard bits <= count else { throw Corruption("it ends too early") }
        pending &>>= UInt64(bits)
        count -= bits
    }

    /// - Parameter bits: the number of bits, 0 … 32.
    mutating func take(_ bits: Int) throws(Corruption) -> UInt64 {
        if count < bits { load() }
        let value = pending & ((1 << UInt64(bits)) - 1)
        try drop(bits)
        return value
    }

    /// Reads a sequence of ones and the zero after it. After `limit` ones there is no zero.
    mutating func readOnes(limit: Int) throws(Corruption) -> Int {
        if count <= limit { load() }
        let ones = min(limit, (~pending).trailingZeroBitCount)
        try drop(ones < limit ? ones + 1 : limit)
        return ones
    }
}
