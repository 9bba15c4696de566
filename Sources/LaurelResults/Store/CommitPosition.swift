// SPDX-License-Identifier: Apache-2.0

/// How far somebody has seen a store's commits: the number of the last one, and where a store has several partitions, of each
/// of them.
///
/// It is written as the number, `12`, or the numbers with points between them, `12.0.7`; in JSON as a number, or a string. To say
/// whether two are of the same state of the store, compare them; which of two is the later cannot be said of several partitions.
public struct CommitPosition: Sendable, Hashable {
    /// By partition.
    package let numbers: [Int64]

    package init(_ numbers: [Int64]) { self.numbers = numbers }

    /// After a commit of a store that has one partition.
    /// - Parameter number: 0 is before the first commit, of any store.
    public init(_ number: Int) { numbers = [Int64(number)] }
}

extension CommitPosition: ExpressibleByIntegerLiteral {
    public init(integerLiteral number: Int) { self.init(number) }
}

extension CommitPosition: LosslessStringConvertible {
    /// Reads what ``description`` wrote; nil where the text is something else.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int64($0) }
        guard numbers.count == parts.count else { return nil }
        self.numbers = numbers
    }

    public var description: String { numbers.lazy.map(String.init).joined(separator: ".") }
}

extension CommitPosition: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Int.self) {
            self.init(number)
            return
        }
        guard let position = CommitPosition(try value.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "this is no position among commits")
        }
        self = position
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        if numbers.count == 1 { try value.encode(numbers[0]) } else { try value.encode(description) }
    }
}
