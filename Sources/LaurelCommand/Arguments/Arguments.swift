// SPDX-License-Identifier: Apache-2.0

import Laurel

/// A command's arguments, checked against its lists of options and operands.
struct Arguments: Sendable {
    /// The command's full name, for messages.
    let command: String
    let operands: [String]
    private let values: [String: String]

    /// - Parameter values: the values by option name; an empty text for a switch.
    init(command: String, operands: [String], values: [String: String]) {
        self.command = command
        self.operands = operands
        self.values = values
    }

    func has(_ option: CommandOption) -> Bool { values[option.name] != nil }
    func text(_ option: CommandOption) -> String? { values[option.name] }

    /// The value of an option as a whole number within bounds; nil if the option is not given.
    func number<Number: FixedWidthInteger>(
        _ option: CommandOption,
        in range: ClosedRange<Number>
    ) throws(UsageError) -> Number? {
        guard let text = text(option) else { return nil }
        guard let number = Number(text), range.contains(number) else {
            let end = range.upperBound == .max ? "on" : "to \(range.upperBound)"
            throw wrong(option, "is not a whole number from \(range.lowerBound) \(end)")
        }
        return number
    }

    /// The value of an option as a whole number within bounds. The option must be given.
    func requiredNumber<Number: FixedWidthInteger>(
        _ option: CommandOption,
        in range: ClosedRange<Number>
    ) throws(UsageError) -> Number {
        guard let number = try number(option, in: range) else {
            throw UsageError("\(option.usage) is missing", command: command)
        }
        return number
    }

    func limit() throws(UsageError) -> Int? { try number(.limit, in: 0...Int.max) }

    /// The value of an option as a number of bytes; nil if the option is not given. The text may end in K, M, G or T,
    /// for powers of 1024.
    func size(_ option: CommandOption) throws(UsageError) -> Int64? {
        guard let text = text(option) else { return nil }
        let units = ["K", "M", "G", "T"]
        let unit = units.firstIndex { text.uppercased().hasSuffix($0) }
        let digits = unit == nil ? text : String(text.dropLast())
        guard let number = Int64(digits), number >= 0, number <= Int64.max >> Int64(10 * ((unit ?? -1) + 1)) else {
            throw wrong(option, "is not a size: give a number of bytes, such as 500M or 2G")
        }
        return number << Int64(10 * ((unit ?? -1) + 1))
    }

    func instant(_ option: CommandOption) throws(UsageError) -> Timestamp? {
        guard let text = text(option) else { return nil }
        do {
            return try Timestamp(text)
        } catch {
            throw wrong(option, "is refused: \(error)")
        }
    }

    /// An error about the value of a given option.
    func wrong(_ option: CommandOption, _ problem: String) -> UsageError {
        UsageError("\(option.flag): “\(Visible.text(text(option) ?? ""))” \(problem)", command: command)
    }
}
