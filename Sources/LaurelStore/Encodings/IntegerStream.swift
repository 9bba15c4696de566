// SPDX-License-Identifier: Apache-2.0

internal import LaurelSystem

/// Whole numbers in one of four layouts. An estimate of the sizes decides which layout is used.
///
///     shape byte   bits 0-2 layout, bit 3 differences, bit 4 zigzag
///     layout 0     constant: only the value, in zigzag
///     others       [first value, zigzag, if differences]  base (zigzag), divisor (varint), then:
///     layout 1     planes: width w (1...8); w frames, lowest bytes first
///     layout 2     packed: bits per number (1, 2, 4); one frame
///     layout 3     classes: one frame of class bytes; then each number's remaining bits, packed, uncompressed
///
/// A layout contains a value u for each number: the number itself, or its difference from the previous number if the
/// shape byte says so. The base is subtracted from u, and the result is divided by the divisor. With zigzag, the base
/// is 0, and u is divided first and then mapped by zigzag.
///
/// A class is the highest bit of u and the two bits after it. Numbers below 8 are their own class. For other numbers
/// the class is 8 + 4(e − 3) + (the two bits), where e is the position of the highest bit; e − 2 bits remain.
enum IntegerStream {
    static let constant: UInt8 = 0
    static let planes: UInt8 = 1
    static let packed: UInt8 = 2
    static let classes: UInt8 = 3
    static let differences: UInt8 = 8
    static let zigzag: UInt8 = 16

    @inline(__always)
    static func classOf(_ value: UInt64) -> (symbol: UInt8, bits: Int) {
        guard value >= 8 else { return (UInt8(truncatingIfNeeded: value), 0) }
        let exponent = 63 - value.leadingZeroBitCount
        let symbol = 8 + 4 * (exponent - 3) + Int(truncatingIfNeeded: (value >> UInt64(exponent - 2)) & 3)
        return (UInt8(truncatingIfNeeded: symbol), exponent - 2)
    }
}

extension SectionWriter {
    mutating func append(integers values: [Int64]) {
        guard let first = values.first else { return }
        if values.allSatisfy({ $0 == first }) {
            directory.append(IntegerStream.constant)
            directory.append(zigzag: first)
            return
        }
        let (residue, usesSteps) = IntegerStream.smallerResidue(values)
        append(residue: residue, first: usesSteps ? first : nil)
    }

    private mutating func append(residue: IntegerStream.Residue, first: Int64?) {
        var head: [UInt8] = []
        if let first { head.append(zigzag: first) }
        head.append(zigzag: residue.base)
        head.append(varint: residue.divisor)
        let flags =
            (first == nil ? 0 : IntegerStream.differences) | (residue.isZigzag ? IntegerStream.zigzag : 0)
        let width = max(1, (64 - residue.union.leadingZeroBitCount + 7) / 8)

        func inPlanes(_ values: some RandomAccessCollection<UInt64>) -> SectionWriter {
            var section = SectionWriter(compressor)
            section.directory = [IntegerStream.planes | flags] + head + [UInt8(width)]
            for plane in 0..<width { section.append(plane: plane, of: values) }
            return section
        }
        func packedOrInClasses(_ values: some RandomAccessCollection<UInt64>) -> SectionWriter {
            var section = SectionWriter(compressor)
            if residue.union < 16 {
                let bits = residue.union < 2 ? 1 : residue.union < 4 ? 2 : 4
                section.directory = [IntegerStream.packed | flags] + head + [UInt8(bits)]
                section.append(packed: values, bits: bits)
            } else {
                section.directory = [IntegerStream.classes | flags] + head
                section.append(classes: values)
            }
            return section
        }
        // If there are many numbers, a sample from the middle decides which layout is smaller.
        let sample = 2048
        guard residue.values.count > 2 * sample else {
            let (planes, other) = (inPlanes(residue.values), packedOrInClasses(residue.values))
            return append(planes.size <= other.size ? planes : other)
        }
        let start = (residue.values.count - sample) / 2
        let some = residue.values[start..<start + sample]
        let isInPlanes = inPlanes(some).size <= packedOrInClasses(some).size
        append(isInPlanes ? inPlanes(residue.values) : packedOrInClasses(residue.values))
    }

    private mutating func append(plane: Int, of values: some RandomAccessCollection<UInt64>) {
        let shift = UInt64(plane * 8)
        let bytes = [UInt8](unsafeUninitializedCapacity: values.count) { bytes, filled in
            for (index, value) in values.enumerated() {
                bytes.initializeElement(at: index, to: UInt8(truncatingIfNeeded: value >> shift))
            }
            filled = values.count
        }
        bytes.withUnsafeBytes { append(frame: $0) }
    }

    private mutating func append(packed values: some RandomAccessCollection<UInt64>, bits: Int) {
        let bytes = [UInt8](unsafeUninitializedCapacity: (values.count * bits + 7) / 8) { bytes, filled in
            var (byte, shift): (UInt8, Int) = (0, 0)
            for value in values {
                byte |= UInt8(truncatingIfNeeded: value) &<< UInt8(truncatingIfNeeded: shift)
                shift &+= bits
                guard shift == 8 else { continue }
                bytes.initializeElement(at: filled, to: byte)
                filled &+= 1
                (byte, shift) = (0, 0)
            }
            guard shift > 0 else { return }
            bytes.initializeElement(at: filled, to: byte)
            filled &+= 1
        }
        bytes.withUnsafeBytes { append(frame: $0) }
    }

    private mutating func append(classes values: some RandomAccessCollection<UInt64>) {
        var rest = BitWriter(capacity: values.count)
        let symbols = [UInt8](unsafeUninitializedCapacity: values.count) { symbols, filled in
            for (index, value) in values.enumerated() {
                let (symbol, bits) = IntegerStream.classOf(value)
                symbols.initializeElement(at: index, to: symbol)
                rest.append(value & (1 << UInt64(bits) &- 1), bits: bits)
            }
            filled = values.count
        }
        symbols.withUnsafeBytes { append(frame: $0) }
        body.append(contentsOf: rest.written)
    }
}

/// Writes numbers of different widths in bits, the lowest bit first.
private struct BitWriter: ~Copyable {
    private let bytes: UnsafeMutableRawPointer
    private var count = 0
    private var pending: UInt64 = 0
    /// The number of pending bits; fewer than 8 after each number.
    private var pendingBits = 0

    /// - Parameter capacity: the maximum number of numbers, each of up to 64 bits.
    init(capacity: Int) { bytes = .allocate(byteCount: (capacity + 1) * 8, alignment: 8) }

    deinit { bytes.deallocate() }

    /// - Parameter number: the number to write, less than 2^bits.
    @inline(__always)
    mutating func append(_ number: UInt64, bits: Int) {
        guard bits > 56 else { return put(number, bits: bits) }
        put(number & 0xFFFF_FFFF, bits: 32)
        put(number >> 32, bits: bits - 32)
    }

    @inline(__always)
    private mutating func put(_ number: UInt64, bits: Int) {
        pending |= number << UInt64(pendingBits)
        pendingBits += bits
        bytes.storeBytes(of: pending.littleEndian, toByteOffset: count, as: UInt64.self)
        count += pendingBits >> 3
        pending >>= UInt64(pendingBits & ~7)
        pendingBits &= 7
    }

    /// All bytes. Unused bits of the last byte are 0.
    var written: [UInt8] {
        Array(UnsafeRawBufferPointer(start: bytes, count: count + (pendingBits > 0 ? 1 : 0)))
    }
}

extension IntegerStream {
    static func differences(_ values: some RandomAccessCollection<Int64>) -> [Int64] {
        let count = max(0, values.count - 1)
        return [Int64](unsafeUninitializedCapacity: count) { steps, filled in
            var previous = values.first ?? 0
            for (index, value) in values.dropFirst().enumerated() {
                steps.initializeElement(at: index, to: value &- previous)
                previous = value
            }
            filled = count
        }
    }

    /// The residue of the numbers, or of their differences if that is smaller. If there are many numbers, samples
    /// decide.
    static func smallerResidue(_ values: [Int64]) -> (residue: Residue, usesSteps: Bool) {
        guard values.count > 4 else { return (Residue(values), false) }
        let (stretches, length) = (4, 512)
        guard values.count > 2 * stretches * length else {
            let (plain, steps) = (Residue(values), Residue(differences(values)))
            return steps.estimatedBits < plain.estimatedBits ? (steps, true) : (plain, false)
        }
        let distance = (values.count - length) / (stretches - 1)
        var (plain, steps): ([Int64], [Int64]) = ([], [])
        for stretch in 0..<stretches {
            let some = values[stretch * distance..<stretch * distance + length]
            plain += some
            steps += differences(some)
        }
        let usesSteps = Residue(steps).estimatedBits < Residue(plain).estimatedBits
        return (Residue(usesSteps ? differences(values) : values), usesSteps)
    }

    /// Numbers that were made smaller. The smallest number is subtracted from all, or zigzag is applied if some are
    /// negative. Then all are divided by their greatest common divisor.
    struct Residue {
        var values: [UInt64]
        var base: Int64 = 0
        var divisor: UInt64 = 1
        var isZigzag = false
        /// The bitwise OR of all values. It has as many significant bits as the largest value.
        var union: UInt64 = 0

        init(_ source: [Int64]) {
            var least = source.first ?? 0
            for value in source { least = min(least, value) }
            isZigzag = least < 0
            base = isZigzag ? 0 : least
            divisor = Residue.commonDivisor(source, base)
            let (base, divisor) = (base, divisor)
            // There is a separate loop for each case, so that no loop contains conditions.
            switch (isZigzag, divisor == 1) {
            case (true, true): values = Residue.map(source, SignedNumbers.zigzag)
            case (true, false):
                values = Residue.map(source) { SignedNumbers.zigzag(Residue.exactQuotient($0, divisor)) }
            case (false, true): values = Residue.map(source) { UInt64(bitPattern: $0 &- base) }
            case (false, false): values = Residue.map(source) { UInt64(bitPattern: $0 &- base) / divisor }
            }
            for value in values { union |= value }
        }

        @inline(__always)
        private static func map(_ source: [Int64], _ transform: (Int64) -> UInt64) -> [UInt64] {
            source.withUnsafeBufferPointer { source in
                [UInt64](unsafeUninitializedCapacity: source.count) { values, filled in
                    for index in source.indices { values.initializeElement(at: index, to: transform(source[index])) }
                    filled = source.count
                }
            }
        }

        /// The greatest common divisor of all distances from the base; 1 if all distances are 0.
        private static func commonDivisor(_ source: [Int64], _ base: Int64) -> UInt64 {
            var divisor: UInt64 = 0
            for value in source {
                let distance = (value &- base).magnitude
                // The divisor found so far usually divides the next number, too.
                guard divisor == 0 || distance % divisor != 0 else { continue }
                divisor = commonDivisor(divisor, distance)
                if divisor == 1 { break }
            }
            return max(1, divisor)
        }

        private static func exactQuotient(_ value: Int64, _ divisor: UInt64) -> Int64 {
            let quotient = Int64(bitPattern: value.magnitude / divisor)
            return value < 0 ? 0 &- quotient : quotient
        }

        private static func commonDivisor(_ one: UInt64, _ other: UInt64) -> UInt64 {
            var (one, other) = (one, other)
            while other != 0 { (one, other) = (other, one % other) }
            return one
        }

        /// An estimate of the class layout's size in bits, by the entropy of the classes.
        var estimatedBits: Double {
            let total = Double(values.count)
            return withUnsafeTemporaryAllocation(of: Int32.self, capacity: 256) { histogram in
                histogram.initialize(repeating: 0)
                var bits = 0
                for value in values {
                    let (symbol, rest) = classOf(value)
                    histogram[Int(symbol)] &+= 1
                    bits &+= rest
                }
                return histogram.reduce(Double(bits)) { sum, count in
                    count == 0 ? sum : sum - Double(count) * log2(Double(count) / total)
                }
            }
        }
    }
}
