internal import LaurelEvents

/// The values of one field, in the order of events:
///
///     kinds        0 and the kind: all alike; 1: integers and doubles, whole numbers being integers; 2: a stream of kinds
///     numbers      where there are integers or doubles: scale, then
///                    scale 0...9: all of them times 10^scale, as one stream
///                    scale 255: integers as one stream, doubles' bit patterns as another
///     texts        where there are texts, JSON or spelled numbers: the texts, and the indexes into them as one stream
enum ValueColumn {
    static let alike: UInt8 = 0
    static let derived: UInt8 = 1
    static let listed: UInt8 = 2
    static let unscaled: UInt8 = 255

    static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
    static let integerPowers: [Int64] = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    ]
    static let largestExact: Int64 = 1 << 53

    // Patterns rather than `==`, which for an enumeration of another module is a call.
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

    /// The whole number that the value is when multiplied by 10^scale, if division gives just that value back.
    @inline(__always)
    static func scaled(_ value: EventValue, _ scale: Int) -> Int64? {
        if isInteger(value.kind) {
            let integer = Int64(bitPattern: value.payload)
            let (product, overflow) = integer.multipliedReportingOverflow(by: integerPowers[scale])
            // Without a scale nothing goes through a double.
            guard !overflow, scale == 0 || product.magnitude < UInt64(largestExact) else { return nil }
            return product
        }
        let double = Double(bitPattern: value.payload)
        let product = (double * powers[scale]).rounded()
        guard product.magnitude < Double(largestExact) else { return nil }
        let whole = Int64(product)
        return (Double(whole) / powers[scale]).bitPattern == value.payload ? whole : nil
    }

    /// The numbers times the least power of ten that makes them whole.
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

// MARK: Writing

extension SectionWriter {
    mutating func append(values: [EventValue], texts: TextTable, dictionary: inout ColumnDictionary) {
        guard let first = values.first else { return }
        let numbers = values.filter { ValueColumn.isNumber($0.kind) }
        let scaled = ValueColumn.scaled(numbers)
        if values.allSatisfy({ $0.kind.rawValue == first.kind.rawValue }) {
            directory.append(ValueColumn.alike)
            directory.append(first.kind.rawValue)
        } else if numbers.count == values.count, let scaled,
            zip(values, scaled.numbers).allSatisfy({ value, number in
                ValueColumn.isInteger(value.kind) == (number % ValueColumn.integerPowers[scaled.scale] == 0)
            })
        {
            directory.append(ValueColumn.derived)
        } else {
            directory.append(ValueColumn.listed)
            append(integers: values.map { Int64($0.kind.rawValue) })
        }
        if !numbers.isEmpty { append(numbers: numbers, scaled: scaled) }
        let indexes = values.filter { ValueColumn.isText($0.kind) }.map { UInt32(truncatingIfNeeded: $0.payload) }
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

// MARK: Reading

extension SectionReader {
    /// The values, their `field` being the one given.
    mutating func values(count: Int, field: UInt32, texts: inout TextCollector) throws -> [EventValue] {
        guard count > 0 else { return [] }
        let mode = try directory.byte()
        var values = [EventValue](repeating: EventValue(field: field, kind: .null), count: count)
        switch mode {
        case ValueColumn.alike:
            let kind = try kind(Int64(try directory.byte()))
            return try self.values(count: count, alike: EventValue(field: field, kind: kind), texts: &texts)
        case ValueColumn.derived:
            try readDerived(into: &values)
            return values
        case ValueColumn.listed:
            for (index, code) in try integers(count: count).enumerated() { values[index].kind = try kind(code) }
        default: throw Corruption("values in an unknown layout")
        }
        try readNumbers(into: &values)
        try readTexts(into: &values, texts: &texts)
        return values
    }

    /// Values of one kind, which nearly all columns have.
    private mutating func values(
        count: Int,
        alike model: EventValue,
        texts: inout TextCollector
    ) throws -> [EventValue] {
        func fill(_ payload: (Int) throws -> UInt64) rethrows -> [EventValue] {
            try [EventValue](unsafeUninitializedCapacity: count) { output, filled in
                for index in 0..<count {
                    var value = model
                    value.payload = try payload(index)
                    output.initializeElement(at: index, to: value)
                }
                filled = count
            }
        }
        if ValueColumn.isText(model.kind) {
            let (base, textCount) = try texts.read(from: &self, limit: count)
            let codes = try integers(count: count)
            guard codes.allSatisfy({ $0 >= 0 && $0 <= textCount }) else {
                throw Corruption("a text that is not there")
            }
            return fill { codes[$0] == 0 ? 0 : UInt64(base + Int(codes[$0]) - 1) }
        }
        guard ValueColumn.isNumber(model.kind) else { return Array(repeating: model, count: count) }
        let scale = try readScale()
        let isInteger = ValueColumn.isInteger(model.kind)
        if scale == Int(ValueColumn.unscaled) {
            // Of the two streams, of integers and of doubles, one is empty.
            let bits = try integers(count: count)
            return fill { UInt64(bitPattern: bits[$0]) }
        }
        let numbers = try integers(count: count)
        let (power, divisor) = (ValueColumn.integerPowers[scale], ValueColumn.powers[scale])
        if isInteger { return fill { UInt64(bitPattern: power == 1 ? numbers[$0] : numbers[$0] / power) } }
        return fill { (Double(numbers[$0]) / divisor).bitPattern }
    }

    private func kind(_ code: Int64) throws -> EventValue.Kind {
        guard let kind = UInt8(exactly: code).flatMap(EventValue.Kind.init(rawValue:)) else {
            throw Corruption("a value of an unknown kind")
        }
        return kind
    }

    private mutating func readScale() throws -> Int {
        let scale = Int(try directory.byte())
        guard scale < ValueColumn.powers.count || scale == Int(ValueColumn.unscaled) else {
            throw Corruption("numbers of an unknown scale")
        }
        return scale
    }

    private mutating func readDerived(into values: inout [EventValue]) throws {
        let scale = try readScale()
        guard scale != Int(ValueColumn.unscaled) else { throw Corruption("numbers without a scale") }
        let (power, divisor) = (ValueColumn.integerPowers[scale], ValueColumn.powers[scale])
        for (index, number) in try integers(count: values.count).enumerated() {
            let quotient = number / power
            if quotient &* power == number {
                values[index].kind = .integer
                values[index].payload = UInt64(bitPattern: quotient)
            } else {
                values[index].kind = .double
                values[index].payload = (Double(number) / divisor).bitPattern
            }
        }
    }

    private mutating func readNumbers(into values: inout [EventValue]) throws {
        let places = values.indices.filter { ValueColumn.isNumber(values[$0].kind) }
        guard !places.isEmpty else { return }
        let scale = try readScale()
        if scale == Int(ValueColumn.unscaled) {
            for integers in [true, false] {
                let some = places.filter { ValueColumn.isInteger(values[$0].kind) == integers }
                for (place, number) in zip(some, try self.integers(count: some.count)) {
                    values[place].payload = UInt64(bitPattern: number)
                }
            }
            return
        }
        let (power, divisor) = (ValueColumn.integerPowers[scale], ValueColumn.powers[scale])
        for (place, number) in zip(places, try integers(count: places.count)) {
            values[place].payload =
                ValueColumn.isInteger(values[place].kind)
                ? UInt64(bitPattern: number / power) : (Double(number) / divisor).bitPattern
        }
    }

    private mutating func readTexts(into values: inout [EventValue], texts: inout TextCollector) throws {
        let places = values.indices.filter { ValueColumn.isText(values[$0].kind) }
        guard !places.isEmpty else { return }
        let (base, textCount) = try texts.read(from: &self, limit: places.count)
        for (place, code) in zip(places, try integers(count: places.count)) {
            guard code >= 0, code <= textCount else { throw Corruption("a text that is not there") }
            values[place].payload = code == 0 ? 0 : UInt64(base) + UInt64(code) - 1
        }
    }
}
