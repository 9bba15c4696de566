// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The values of one field, in the order of events:
///
///     kinds        0 and the kind, if all values have it; 1: integers and doubles, whole doubles as integers;
///                  2: a stream of kinds
///     numbers      if there are integers or doubles: the scale, then
///                    scale 0...9: all of them times 10^scale, as one stream
///                    scale 255: integers as one stream, doubles' bit patterns as another
///     texts        if there are texts, JSON or spelled numbers: the texts, and the index of each as one stream
enum ValueColumn {
    static let uniform: UInt8 = 0
    static let derived: UInt8 = 1
    static let listed: UInt8 = 2
    static let unscaled: UInt8 = 255

    static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
    static let integerPowers: [Int64] = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    ]
    static let largestExact: Int64 = 1 << 53

    // These functions match patterns, because `==` on an enumeration of another module calls a function.
    @inline(__always)
    static func isText(_ kind: EventValue.Kind) -> Bool {
        switch kind {
        case .text, .json, .spelled: true
        case .null, .no, .yes, .integer, .double: false
        }
    }

    @inline(__always)
    static func isNumber(_ kind: EventValue.Kind) -> Bool {
        switch kind {
        case .integer, .double: true
        case .null, .no, .yes, .text, .json, .spelled: false
        }
    }

    @inline(__always)
    static func isInteger(_ kind: EventValue.Kind) -> Bool {
        if case .integer = kind { true } else { false }
    }

    /// The value times 10^scale as a whole number; nil if the product is not whole, or if dividing it by 10^scale does
    /// not give exactly the value.
    @inline(__always)
    static func scaled(_ value: EventValue, _ scale: Int) -> Int64? {
        if isInteger(value.kind) {
            let integer = Int64(bitPattern: value.payload)
            let (product, overflow) = integer.multipliedReportingOverflow(by: integerPowers[scale])
            // With scale 0, an integer is never converted to a double, so it may be of any size.
            guard !overflow, scale == 0 || product.magnitude < UInt64(largestExact) else { return nil }
            return product
        }
        let double = Double(bitPattern: value.payload)
        let product = (double * powers[scale]).rounded()
        guard product.magnitude < Double(largestExact) else { return nil }
        let whole = Int64(product)
        return (Double(whole) / powers[scale]).bitPattern == value.payload ? whole : nil
    }

    /// All values times 10^scale, with the lowest scale that makes every value whole; nil if scale 9 is too low.
    static func scaled(_ values: [EventValue]) -> (scale: Int, numbers: [Int64])? {
        var scale = 0
        var numbers: [Int64] = []
        numbers.reserveCapacity(values.count)
        for value in values {
            var number = scaled(value, scale)
            while number == nil, scale < 9 {
                scale += 1
                number = scaled(value, scale)
            }
            guard let number else { return nil }
            numbers.append(number)
        }
        guard scale > 0 else { return (0, numbers) }
        for (index, value) in values.enumerated() {
            guard let number = scaled(value, scale) else { return nil }
            numbers[index] = number
        }
        return (scale, numbers)
    }
}

extension SectionWriter {
    mutating func append(values: ValueList, texts: TextTable, dictionary: inout ColumnDictionary) {
        guard values.count > 0 else { return }
        let numbers = values.numbers
        let scaled = ValueColumn.scaled(numbers)
        if let kind = values.onlyKind {
            directory.append(ValueColumn.uniform)
            directory.append(kind.rawValue)
        } else if numbers.count == values.count, let scaled,
            zip(numbers, scaled.numbers).allSatisfy({ value, number in
                ValueColumn.isInteger(value.kind) == (number % ValueColumn.integerPowers[scaled.scale] == 0)
            })
        {
            directory.append(ValueColumn.derived)
        } else {
            directory.append(ValueColumn.listed)
            append(integers: values.allKinds.map { Int64($0.rawValue) })
        }
        if !numbers.isEmpty { append(numbers: numbers, scaled: scaled) }
        let indexes = values.texts
        guard !indexes.isEmpty else { return }
        let (codes, distinct) = dictionary.encode(indexes, textCount: texts.count)
        append(texts: distinct, of: texts)
        append(integers: codes)
    }

    private mutating func append(numbers: [EventValue], scaled: (scale: Int, numbers: [Int64])?) {
        if let scaled {
            directory.append(UInt8(scaled.scale))
            append(integers: scaled.numbers)
        } else {
            directory.append(ValueColumn.unscaled)
            for integers in [true, false] {
                let some = numbers.filter { ValueColumn.isInteger($0.kind) == integers }
                append(integers: some.map { Int64(bitPattern: $0.payload) })
            }
        }
    }
}
