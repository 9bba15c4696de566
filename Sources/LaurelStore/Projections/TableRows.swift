// SPDX-License-Identifier: Apache-2.0

internal import LaurelProgress

/// A value of a row to be written.
struct ColumnValue: Sendable, Equatable {
    enum Kind: UInt32, Sendable {
        case null
        /// `bits` is the bit pattern of an Int64.
        case integer
        /// `bits` is the bit pattern of a Double.
        case real
        /// A text or bytes. `bits` is the position of the first byte in ``TableRows/texts``, `length` the number of
        /// bytes.
        case text
    }

    var bits: UInt64
    var length: UInt32 = 0
    var kind: Kind

    static let null = ColumnValue(bits: 0, kind: .null)

    static func integer(_ value: Int64) -> ColumnValue { ColumnValue(bits: UInt64(bitPattern: value), kind: .integer) }
    static func real(_ value: Double) -> ColumnValue { ColumnValue(bits: value.bitPattern, kind: .real) }
}

/// Rows of one table, cell after cell, in two arrays. So creating, passing and freeing many rows costs almost nothing.
struct TableRows: Sendable {
    /// The number of cells of a row.
    let width: Int
    private var cells: [ColumnValue] = []
    /// The texts in UTF-8, one after another.
    private var texts: [UInt8] = []
    /// The last numbers, and their text. A learner's tracks often have the same numbers: the overall track, and the
    /// track of the only language.
    private var lastList: (numbers: [NamedNumber], text: ColumnValue)?
    private var lastNumbers: (numbers: NamedNumbers, text: ColumnValue)?

    init(width: Int) { self.width = width }

    /// Rows of one cell each.
    init(_ values: some Sequence<Int64>) {
        width = 1
        cells = values.map(ColumnValue.integer)
    }

    /// Rows of integers.
    init(_ values: [Int64], width: Int) {
        self.width = width
        cells = values.map(ColumnValue.integer)
    }

    /// Makes one row for each element.
    /// - Parameter append: appends the cells of an element.
    init<Element>(_ elements: some Sequence<Element>, width: Int, _ append: (Element, inout TableRows) -> Void) {
        self.width = width
        for element in elements { append(element, &self) }
    }

    init(of relation: Relation) { self.init(width: relation.width) }

    var isEmpty: Bool { cells.isEmpty }
    var count: Int { cells.count / width }

    func row(_ number: Int) -> ArraySlice<ColumnValue> { cells[number * width..<(number + 1) * width] }

    func cell(_ row: Int, _ column: Int) -> ColumnValue { cells[row * width + column] }
    func isNull(_ row: Int, _ column: Int) -> Bool { cell(row, column).kind == .null }

    func integer(_ row: Int, _ column: Int) -> Int64 {
        let cell = cell(row, column)
        switch cell.kind {
        case .integer: return Int64(bitPattern: cell.bits)
        case .real: return Int64(exactly: Double(bitPattern: cell.bits).rounded(.towardZero)) ?? 0
        case .null, .text: return 0
        }
    }

    func count(_ row: Int, _ column: Int) -> Int { Int(integer(row, column)) }

    func real(_ row: Int, _ column: Int) -> Double {
        let cell = cell(row, column)
        return cell.kind == .real ? Double(bitPattern: cell.bits) : Double(integer(row, column))
    }

    func text(_ row: Int, _ column: Int) -> ArraySlice<UInt8> {
        let cell = cell(row, column)
        guard cell.kind == .text else { return [] }
        return texts[Int(cell.bits)..<Int(cell.bits) + Int(cell.length)]
    }

    func string(_ row: Int, _ column: Int) -> String? {
        isNull(row, column) ? nil : String(decoding: text(row, column), as: UTF8.self)
    }

    /// A copy without some rows.
    /// - Parameter numbers: the indexes of the rows to leave out.
    func without(_ numbers: Set<Int>) -> TableRows {
        var rest = self
        rest.cells = []
        for number in 0..<count where !numbers.contains(number) { rest.cells += row(number) }
        return rest
    }

    /// Removes all rows, but keeps the memory.
    mutating func removeAll() {
        cells.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
        (lastList, lastNumbers) = (nil, nil)
    }

    /// Appends a cell. A row is appended from the first column to the last.
    mutating func append(_ cell: ColumnValue) { cells.append(cell) }
    mutating func append(_ value: Int64) { cells.append(.integer(value)) }
    mutating func append(_ value: Int) { cells.append(.integer(Int64(value))) }
    mutating func append(_ value: Double) { cells.append(.real(value)) }
    mutating func append(_ value: Int64?) { cells.append(value.map(ColumnValue.integer) ?? .null) }
    mutating func append(_ value: Double?) { cells.append(value.map(ColumnValue.real) ?? .null) }
    mutating func append(_ value: String?) { append(value.map { value in text { $0 += value.utf8 } } ?? .null) }

    /// Appends a text in UTF-8, or bytes.
    mutating func append(bytes: [UInt8]?) { append(bytes.map { bytes in text { $0 += bytes } } ?? .null) }

    mutating func append(_ numbers: [NamedNumber]) {
        if let lastList, numbers.isIdentical(to: lastList.numbers) { return append(lastList.text) }
        let text = text { NumbersJSON.append(numbers, to: &$0) }
        lastList = (numbers, text)
        append(text)
    }

    mutating func append(_ numbers: NamedNumbers) {
        if let lastNumbers, numbers.isIdentical(to: lastNumbers.numbers) { return append(lastNumbers.text) }
        let text = text { NumbersJSON.append(numbers, to: &$0) }
        lastNumbers = (numbers, text)
        append(text)
    }

    /// Stores a text, and returns a cell for it. The cell may be appended to several rows.
    mutating func text(_ write: (inout [UInt8]) -> Void) -> ColumnValue {
        let start = texts.count
        write(&texts)
        return ColumnValue(bits: UInt64(start), length: UInt32(texts.count - start), kind: .text)
    }

    /// Replaces each integer of a column by the result of `replacement`.
    mutating func replace(column: Int, _ replacement: (Int64) -> Int64) {
        for position in stride(from: column, to: cells.count, by: width) {
            cells[position] = .integer(replacement(Int64(bitPattern: cells[position].bits)))
        }
    }

    func withCells<Result>(
        _ body: (_ cells: UnsafeBufferPointer<ColumnValue>, _ texts: UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        try cells.withUnsafeBufferPointer { cells in try texts.withUnsafeBufferPointer { try body(cells, $0) } }
    }
}

extension TableRows {
    static var progress: TableRows { TableRows(of: TrackNumbers.relation) }
    static var achievements: TableRows { TableRows(of: AchievementProjection.relation) }
    static var days: TableRows { TableRows(of: DayProjection.relation) }
}
