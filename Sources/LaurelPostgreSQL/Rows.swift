// SPDX-License-Identifier: Apache-2.0

internal import CPostgreSQL

/// The rows that a statement returned.
package final class Rows: RandomAccessCollection {
    fileprivate let result: OpaquePointer
    package let endIndex: Int
    package let width: Int

    /// - Parameter result: the result of libpq. It is freed when the rows are released.
    init(_ result: OpaquePointer) {
        self.result = result
        endIndex = Int(PQntuples(result))
        width = Int(PQnfields(result))
    }

    deinit { PQclear(result) }

    package var startIndex: Int { 0 }
    package subscript(row: Int) -> Row { Row(rows: self, number: Int32(row)) }

    /// The number of rows that the statement has written.
    package var written: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }
    /// The command tag, such as `COMMIT`.
    var tag: String { String(cString: PQcmdStatus(result)) }
}

/// A row. Columns count from 0. Integers of any width are read as 64 bits, and null as 0.
package struct Row {
    private let rows: Rows
    private let number: Int32

    fileprivate init(rows: Rows, number: Int32) { (self.rows, self.number) = (rows, number) }

    package var width: Int { rows.width }

    package enum Kind {
        case null, integer, real, text
    }

    package func kind(_ column: Int) -> Kind {
        if isNull(column) { return .null }
        switch PQftype(rows.result, Int32(column)) {
        case 16, 20, 21, 23: return .integer
        case ValueType.float8.rawValue: return .real
        default: return .text
        }
    }

    package func isNull(_ column: Int) -> Bool { PQgetisnull(rows.result, number, Int32(column)) == 1 }

    package func integer(_ column: Int) -> Int64 {
        let bytes = bytes(column)
        guard let first = bytes.first else { return 0 }
        // A boolean is one byte without a sign.
        var value: Int64 = bytes.count > 1 && first >= 0x80 ? -1 : 0
        for byte in bytes { value = value << 8 | Int64(byte) }
        return value
    }

    package func truth(_ column: Int) -> Bool { integer(column) != 0 }

    package func real(_ column: Int) -> Double { Double(bitPattern: UInt64(bitPattern: integer(column))) }

    /// The bytes of a column. They are valid as long as the rows exist.
    package func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(rows.result, number, Int32(column)),
            count: Int(PQgetlength(rows.result, number, Int32(column)))
        )
    }

    package func array(_ column: Int) -> [UInt8] { withExtendedLifetime(rows) { Array(bytes(column)) } }
    package func string(_ column: Int) -> String { String(decoding: array(column), as: UTF8.self) }
}
