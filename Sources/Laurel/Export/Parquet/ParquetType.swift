// SPDX-License-Identifier: Apache-2.0

/// The Parquet types of the columns of event tables. A type says how a value is stored, and what the value means.
extension EventSchema.Kind {
    /// The number of the stored type.
    var parquetStorage: Int {
        switch self {
        case .boolean: 0
        case .integer, .instant: 2
        case .number: 5
        case .text, .json: 6
        }
    }

    /// Writes the meaning of a column's values. It is written twice: as the number that older readers know, and as a
    /// structure. Numbers and booleans have no meaning besides their storage. JSON is declared as text, because not all
    /// readers know Parquet's JSON.
    func writeParquetMeaning(to schema: inout ThriftWriter) {
        switch self {
        case .text, .json:
            schema.i32(6, 0)
            schema.structure(10) { $0.structure(1) { _ in } }
        case .instant:
            schema.i32(6, 9)
            schema.structure(10) { meaning in
                meaning.structure(8) { time in
                    // In UTC, in milliseconds.
                    time.boolean(1, true)
                    time.structure(2) { unit in unit.structure(1) { _ in } }
                }
            }
        case .boolean, .integer, .number: break
        }
    }
}
