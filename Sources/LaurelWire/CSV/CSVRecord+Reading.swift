// SPDX-License-Identifier: Apache-2.0

extension CSVRecord {
    /// The fields of a record without its line break, with quotes resolved. nil if a quoted field has no closing quote,
    /// or if text follows that quote.
    ///
    /// An apostrophe before text that looks like a formula is not removed. Most files come from other programs, in
    /// which the apostrophe is part of the text.
    package static func fields(of record: ArraySlice<UInt8>, separator: UInt8 = UInt8(ascii: ",")) -> [[UInt8]]? {
        let quote = UInt8(ascii: "\"")
        var fields: [[UInt8]] = []
        var position = record.startIndex
        while true {
            var field: [UInt8] = []
            if position < record.endIndex, record[position] == quote {
                position += 1
                while true {
                    guard position < record.endIndex else { return nil }
                    if record[position] != quote {
                        field.append(record[position])
                    } else if position + 1 < record.endIndex, record[position + 1] == quote {
                        field.append(quote)
                        position += 1
                    } else {
                        break
                    }
                    position += 1
                }
                position += 1
                guard position == record.endIndex || record[position] == separator else { return nil }
            } else {
                let end = record[position...].firstIndex(of: separator) ?? record.endIndex
                field = Array(record[position..<end])
                position = end
            }
            fields.append(field)
            guard position < record.endIndex else { return fields }
            position += 1
        }
    }
}
