// SPDX-License-Identifier: Apache-2.0

/// Reads the output of `append(integers:)`.
///
/// Numbers are unpacked into a buffer, which the next stream overwrites. Then they are copied to their column, in the
/// column's type. Both steps are loops without conditions, over memory that stays in the processor's cache.
extension SectionReader {
    mutating func integers(count: Int) throws -> UnsafeBufferPointer<Int64> { try integers(count: count, 0..<count) }

    /// - Parameters:
    ///   - count: the number of numbers in the whole stream.
    ///   - range: the wanted numbers, by their positions in the stream.
    /// - Returns: those numbers, valid until another stream is read.
    mutating func integers(count: Int, _ range: Range<Int>) throws -> UnsafeBufferPointer<Int64> {
        guard count > 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
        guard count <= SectionReader.largestStream / 8 else { throw Corruption("a stream of \(count) numbers") }
        let shape = try directory.byte()
        guard shape & 7 != IntegerStream.constant else {
            let output = memory.numbers(range.count)
            output.update(repeating: try directory.zigzag())
            return UnsafeBufferPointer(output)
        }
        guard shape & IntegerStream.differences != 0 else {
            let output = memory.numbers(range.count)
            try read(shape, count: count, range, into: output)
            return UnsafeBufferPointer(output)
        }
        // Each number is the sum of all differences before it, so the differences before the range must be read, too.
        let steps = 0..<max(0, range.upperBound - 1)
        let output = memory.numbers(steps.count + 1)
        output[0] = try directory.zigzag()
        try read(shape, count: count - 1, steps, into: UnsafeMutableBufferPointer(rebasing: output[1...]))
        var sum = output[0]
        for index in 1..<max(1, output.count) {
            sum &+= output[index]
            output[index] = sum
        }
        return UnsafeBufferPointer(rebasing: output[range.isEmpty ? 0..<0 : range])
    }

    /// Reads numbers in the type of a table's column.
    /// - Parameter bounds: the allowed range of the numbers; nil for any.
    mutating func column<Number: FixedWidthInteger>(
        count: Int,
        _ range: Range<Int>,
        in bounds: ClosedRange<Int64>?,
        orElse complaint: String
    ) throws -> [Number] {
        if let number = try constant(count: count) {
            guard bounds?.contains(number) ?? true else { throw Corruption(complaint) }
            return Array(repeating: Number(truncatingIfNeeded: number), count: range.count)
        }
        let numbers = try integers(count: count, range)
        if let bounds, !numbers.areAll(in: bounds) { throw Corruption(complaint) }
        return numbers.narrowed(to: Number.self)
    }

    /// The number that the whole next stream repeats; nil if the stream has different numbers. If the result is nil,
    /// the stream is not consumed.
    mutating func constant(count: Int) throws -> Int64? {
        var ahead = directory
        guard count > 0, count <= SectionReader.largestStream / 8, try ahead.byte() & 7 == IntegerStream.constant else {
            return nil
        }
        let number = try ahead.zigzag()
        directory = ahead
        return number
    }

    /// Reads numbers, or differences that the caller must sum.
    private mutating func read(
        _ shape: UInt8,
        count: Int,
        _ range: Range<Int>,
        into output: UnsafeMutableBufferPointer<Int64>
    ) throws {
        let base = try directory.zigzag()
        let divisor = Int64(bitPattern: try directory.varint())
        let isZigzag = shape & IntegerStream.zigzag != 0
        // The base is added while unpacking, unless zigzag or the divisor must be undone first.
        let early = isZigzag || divisor != 1 ? 0 : base
        switch shape & 7 {
        case IntegerStream.planes: try readPlanes(count: count, range, from: early, into: output)
        case IntegerStream.packed: try readPacked(count: count, range, from: early, into: output)
        case IntegerStream.classes: try readClasses(count: count, range, from: early, into: output)
        default: throw Corruption("numbers in an unknown layout")
        }
        if isZigzag {
            if divisor == 1 {
                for index in output.indices {
                    output[index] = SignedNumbers.unzigzag(UInt64(bitPattern: output[index]))
                }
            } else {
                for index in output.indices {
                    output[index] = SignedNumbers.unzigzag(UInt64(bitPattern: output[index])) &* divisor
                }
            }
        } else if divisor != 1 {
            for index in output.indices { output[index] = output[index] &* divisor &+ base }
        }
    }

    private mutating func readPlanes(
        count: Int,
        _ range: Range<Int>,
        from base: Int64,
        into output: UnsafeMutableBufferPointer<Int64>
    ) throws {
        let width = Int(try directory.byte())
        guard (1...8).contains(width) else { throw Corruption("numbers of \(width) bytes") }
        for plane in 0..<width {
            let bytes = UnsafeRawBufferPointer(rebasing: try frame(count: count)[range])
            if plane == 0 {
                for index in output.indices { output[index] = base &+ Int64(bytes[index]) }
            } else {
                let shift = Int64(plane * 8)
                for index in output.indices { output[index] &+= Int64(bytes[index]) &<< shift }
            }
        }
    }

    private mutating func readPacked(
        count: Int,
        _ range: Range<Int>,
        from base: Int64,
        into output: UnsafeMutableBufferPointer<Int64>
    ) throws {
        let bits = Int(try directory.byte())
        guard bits == 1 || bits == 2 || bits == 4 else { throw Corruption("numbers of \(bits) bits") }
        let perByte = 8 / bits
        let bytes = try frame(count: (count + perByte - 1) / perByte)
        // With constant arguments, the compiler makes a simple loop of each case.
        switch bits {
        case 1: IntegerStream.unpack(bytes, from: range.lowerBound, bits: 1, log2ValuesPerByte: 3, base, into: output)
        case 2: IntegerStream.unpack(bytes, from: range.lowerBound, bits: 2, log2ValuesPerByte: 2, base, into: output)
        default: IntegerStream.unpack(bytes, from: range.lowerBound, bits: 4, log2ValuesPerByte: 1, base, into: output)
        }
    }

    private mutating func readClasses(
        count: Int,
        _ range: Range<Int>,
        from base: Int64,
        into output: UnsafeMutableBufferPointer<Int64>
    ) throws {
        let symbols = try frame(count: count)
        let largest = IntegerStream.largest(symbols)
        guard largest < 252 else { throw Corruption("a number of an unknown class") }
        let isShort = largest <= IntegerStream.largestInAWord
        var (index, position) = (0, 0)
        if isShort, range.count == count {
            // `body` may contain more than this stream. The stream's length is known only after the symbols are read,
            // so `body` is read as far as it is long enough.
            (index, position) = IntegerStream.join(symbols, body.rest, from: 0, base, into: output)
            _ = try body.take(position >> 3)
            position &= 7
        } else {
            position = IntegerStream.remainingBits(UnsafeRawBufferPointer(rebasing: symbols[..<range.lowerBound]))
        }
        let others = UnsafeRawBufferPointer(rebasing: symbols[(range.lowerBound + index)...])
        let bits = position + IntegerStream.remainingBits(others)
        let rest = memory.padded(try body.take((bits + 7) / 8))
        let wanted = UnsafeRawBufferPointer(rebasing: others[..<(output.count - index)])
        let room = UnsafeMutableBufferPointer(rebasing: output[index...])
        if isShort {
            _ = IntegerStream.join(wanted, rest, from: position, base, into: room)
        } else {
            for (index, symbol) in wanted.enumerated() {
                let width = IntegerStream.remainingBits(UInt64(symbol))
                let low = IntegerStream.bits(at: position, width: Int(width), of: rest)
                room[index] = base &+ Int64(bitPattern: IntegerStream.leadingBits(UInt64(symbol)) &<< width | low)
                position += Int(width)
            }
        }
    }
}

/// The parts that all numbers of a class share, computed once for all streams. ``IntegerStream`` defines the classes.
private struct NumberClass {
    /// The leading bits at their position in the number.
    let lead: UInt64
    let mask: UInt64
    /// The number of remaining bits.
    let width: Int

    init(_ symbol: Int) {
        let bits = IntegerStream.remainingBits(UInt64(symbol))
        lead = IntegerStream.leadingBits(UInt64(symbol)) &<< bits
        mask = (1 &<< bits) &- 1
        width = Int(bits)
    }

    static let all = (0...Int(IntegerStream.largestInAWord)).map(NumberClass.init)
}

extension IntegerStream {
    /// The largest class whose remaining bits always fit into one word, even if they begin in the middle of a byte.
    fileprivate static let largestInAWord: UInt8 = 4 * 57 + 3

    /// The maximum number of bytes that eight numbers of ``largestInAWord`` or a lower class need, from the current byte
    /// to the end of the word with the last number.
    static let bytesAhead = 8 * 7 + 16

    /// Joins the classes of numbers with their remaining bits, which begin at bit `position` of `rest`. The function
    /// stops when `rest` has fewer than ``bytesAhead`` bytes left.
    ///
    /// The processor cannot predict the next class. So the loop has only one branch, for eight zeros, which are
    /// frequent in columns that seldom change.
    /// - Returns: the number of numbers read, and the position of the next number's bits.
    fileprivate static func join(
        _ symbols: UnsafeRawBufferPointer,
        _ rest: UnsafeRawBufferPointer,
        from position: Int,
        _ base: Int64,
        into output: UnsafeMutableBufferPointer<Int64>
    ) -> (count: Int, position: Int) {
        var (index, position) = (0, position)
        guard let start = symbols.baseAddress, let bits = rest.baseAddress, let output = output.baseAddress else {
            return (index, position)
        }
        let (count, limit) = (symbols.count, rest.count - bytesAhead)
        NumberClass.all.withUnsafeBufferPointer { classes in
            let classes = classes.baseAddress!
            @inline(__always)
            func read(_ symbol: UInt8) {
                let known = classes + Int(symbol)
                let word = UInt64(littleEndian: bits.loadUnaligned(fromByteOffset: position &>> 3, as: UInt64.self))
                let low = word &>> UInt64(truncatingIfNeeded: position & 7) & known.pointee.mask
                output[index] = base &+ Int64(bitPattern: known.pointee.lead | low)
                position &+= known.pointee.width
                index &+= 1
            }
            while index &+ 8 <= count, position &>> 3 <= limit {
                var eight = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                if eight == 0 {
                    for place in 0..<8 { output[index &+ place] = base }
                    index &+= 8
                    continue
                }
                for _ in 0..<8 {
                    read(UInt8(truncatingIfNeeded: eight))
                    eight &>>= 8
                }
            }
            while index < count, position &>> 3 <= limit { read(start.load(fromByteOffset: index, as: UInt8.self)) }
        }
        return (index, position)
    }

    /// The number of remaining bits of a class.
    @inline(__always)
    fileprivate static func remainingBits(_ symbol: UInt64) -> UInt64 {
        let bits = (symbol &>> 2) &- 1
        return bits & ~UInt64(bitPattern: Int64(bitPattern: bits) &>> 63)
    }

    /// The leading bits of a class's numbers: the symbol itself if below 8, otherwise a one and the two bits after it.
    @inline(__always)
    fileprivate static func leadingBits(_ symbol: UInt64) -> UInt64 { symbol & 3 | (symbol &+ 252) &>> 6 & 4 }

    @inline(__always)
    fileprivate static func unpack(
        _ bytes: UnsafeRawBufferPointer,
        from start: Int,
        bits: Int,
        log2ValuesPerByte shift: Int,
        _ base: Int64,
        into output: UnsafeMutableBufferPointer<Int64>
    ) {
        let (perByte, mask, count) = (1 &<< shift, UInt64((1 &<< bits) &- 1), output.count)
        var index = 0
        @inline(__always)
        func read(upTo end: Int) {
            while index < end {
                let place = start &+ index
                let byte = UInt64(bytes[place &>> shift]) &>> UInt64((place & (perByte &- 1)) &* bits)
                output[index] = base &+ Int64(bitPattern: byte & mask)
                index &+= 1
            }
        }
        // Reads up to a whole byte first, then whole bytes, then the rest.
        read(upTo: min(count, -start & (perByte &- 1)))
        var place = (start &+ index) &>> shift
        while index &+ perByte <= count {
            let byte = UInt64(bytes[place])
            for number in 0..<perByte {
                output[index &+ number] = base &+ Int64(bitPattern: byte &>> UInt64(number &* bits) & mask)
            }
            index &+= perByte
            place &+= 1
        }
        read(upTo: count)
    }

    /// The total number of remaining bits of some classes, computed eight classes at a time.
    fileprivate static func remainingBits(_ symbols: UnsafeRawBufferPointer) -> Int {
        let (ones, highBits, lowBytes): (UInt64, UInt64, UInt64) = (
            0x0101_0101_0101_0101, 0x8080_8080_8080_8080, 0x00FF_00FF_00FF_00FF
        )
        var (bits, index) = (0, 0)
        while index + 8 <= symbols.count {
            // The sums have 16 bits, which limits the number of classes added at once.
            let end = min(symbols.count - 7, index + 8 * 128)
            var sums: UInt64 = 0
            while index < end {
                let quarters = symbols.loadUnaligned(fromByteOffset: index, as: UInt64.self) &>> 2 & ~(ones &* 0xC0)
                // Subtracts one from each byte. The byte's high bit stays set if the byte was not 0.
                let less = (quarters | highBits) &- ones
                let positive = less & highBits
                let widths = less & (positive &- positive &>> 7)
                sums &+= (widths & lowBytes) &+ (widths &>> 8 & lowBytes)
                index &+= 8
            }
            bits &+= Int(truncatingIfNeeded: (sums &* 0x0001_0001_0001_0001) &>> 48)
        }
        for place in index..<symbols.count {
            bits &+= Int(truncatingIfNeeded: remainingBits(UInt64(symbols[place])))
        }
        return bits
    }

    fileprivate static func largest(_ symbols: UnsafeRawBufferPointer) -> UInt8 {
        var largest: UInt8 = 0
        for symbol in symbols { largest = max(largest, symbol) }
        return largest
    }

    /// Reads `width` bits of a packed stream, 0 … 61, starting at bit `position`.
    fileprivate static func bits(at position: Int, width: Int, of bytes: UnsafeRawBufferPointer) -> UInt64 {
        var value: UInt64 = 0
        for bit in 0..<width {
            let index = position + bit
            value |= UInt64((bytes[index >> 3] >> UInt8(index & 7)) & 1) << UInt64(bit)
        }
        return value
    }
}

extension UnsafeBufferPointer<Int64> {
    /// True if all numbers are in a range.
    /// - Parameter range: a range well within `Int64`, so that differences do not overflow.
    func areAll(in range: ClosedRange<Int64>) -> Bool {
        // Becomes negative if any number is out of bounds.
        var beyond: Int64 = 0
        for number in self { beyond |= (number &- range.lowerBound) | (range.upperBound &- number) }
        return beyond >= 0
    }

    /// The lower bits of the numbers, in another type.
    func narrowed<Number: FixedWidthInteger>(to _: Number.Type) -> [Number] {
        mapped { Number(truncatingIfNeeded: $0) }
    }

    /// Converts codes of texts into indexes of a table. Code 0 stays 0, code 1 is the text at `base`.
    func indexes(base: Int) -> [UInt32] {
        let before = UInt32(truncatingIfNeeded: base - 1)
        return mapped { number in
            let code = UInt32(truncatingIfNeeded: number)
            return code == 0 ? 0 : before &+ code
        }
    }
}

extension UnsafeBufferPointer {
    /// The same as `map`, as a simple loop.
    @inline(__always)
    func mapped<Result>(_ transform: (Element) -> Result) -> [Result] {
        [Result](unsafeUninitializedCapacity: count) { output, filled in
            for index in indices { output.initializeElement(at: index, to: transform(self[index])) }
            filled = count
        }
    }
}
