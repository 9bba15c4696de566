// SPDX-License-Identifier: Apache-2.0

extension EventTable {
    /// Appends an event as one line of CloudEvents JSON, without the line end. The line is equal to the line that was
    /// sent, except for the order of keys and the spelling of numbers.
    /// - Parameter subject: the learner's id if the table does not contain it.
    package func encode(_ row: Int, subject: (some Sequence<UInt8>)?, into output: inout [UInt8]) {
        func put(_ name: StaticString, _ text: some Sequence<UInt8>) {
            JSONWriter.write(name, to: &output)
            JSONWriter.write(string: text, to: &output)
        }
        output.append(UInt8(ascii: "{"))
        if flags[row] & EventTable.hasVersion != 0 { JSONWriter.write("\"specversion\":\"1.0\",", to: &output) }
        JSONWriter.write("\"id\":", to: &output)
        encodeIdentifier(of: row, into: &output)
        put(",\"source\":", texts[source[row]])
        put(",\"type\":", types[type[row]])
        if let subject { put(",\"subject\":", subject) } else { put(",\"subject\":", texts[self.subject[row]]) }
        JSONWriter.write(",\"time\":\"", to: &output)
        timestamp(row).write(to: &output)
        output.append(UInt8(ascii: "\""))
        if language[row] != 0 { put(",\"language\":", texts[language[row]]) }
        if session[row] != 0 { put(",\"session\":", texts[session[row]]) }
        if timezone[row] != 0 { put(",\"timezone\":", texts[timezone[row]]) }
        if flags[row] & EventTable.hasData != 0 {
            JSONWriter.write(",\"data\":", to: &output)
            encodeData(of: row, into: &output)
        }
        if extensions[row] != 0 {
            // The extensions are one object, `{…}`. Its members become members of the event.
            output.append(UInt8(ascii: ","))
            output.append(contentsOf: texts[extensions[row]].dropFirst().dropLast())
        }
        output.append(UInt8(ascii: "}"))
    }

    private func encodeIdentifier(of row: Int, into output: inout [UInt8]) {
        let start = output.count + 1
        output.append(UInt8(ascii: "\""))
        appendIdentifier(of: row, to: &output)
        guard output[start...].contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") })
        else {
            output.append(UInt8(ascii: "\""))
            return
        }
        let identifier = Array(output[start...])
        output.removeSubrange((start - 1)...)
        JSONWriter.write(string: identifier, to: &output)
    }

    package func encode(_ row: Int, into output: inout [UInt8]) {
        encode(row, subject: ArraySlice<UInt8>?.none, into: &output)
    }

    /// Appends the event's `data` as a JSON object.
    package func encodeData(of row: Int, into output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        for value in values(of: row) {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            JSONWriter.write(string: fields[value.field], to: &output)
            output.append(UInt8(ascii: ":"))
            encode(value, into: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    func encode(_ value: EventValue, into output: inout [UInt8]) {
        switch value.kind {
        case .null: JSONWriter.write("null", to: &output)
        case .no: JSONWriter.write("false", to: &output)
        case .yes: JSONWriter.write("true", to: &output)
        case .integer: JSONWriter.write(integer: Int64(bitPattern: value.payload), to: &output)
        case .double: JSONWriter.write(double: Double(bitPattern: value.payload), to: &output)
        case .text: JSONWriter.write(string: texts[UInt32(value.payload)], to: &output)
        case .json, .spelled: output.append(contentsOf: texts[UInt32(value.payload)])
        }
    }
}
