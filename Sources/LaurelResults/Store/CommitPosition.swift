// SPDX-License-Identifier: Apache-2.0

/// A position in a store's sequence of commits: for each partition, the number of its last commit.
///
/// A position is written as a number, `12`, or as numbers joined by points, `12.0.7`. In JSON it is a number or a
/// string. Equal positions mean the same state of the store. With several partitions, positions cannot be ordered.
public struct CommitPosition: Sendable, Hashable {
    /// The last commit's number, by partition.
    package let numbers: [Int64]

    package init(_ numbers: [Int64]) { self.numbers = numbers }

    /// The position after a commit, in a store with one partition.
    /// - Parameter number: the number of the commit; 0 for the state before the first commit.
    public init(_ number: Int) { numbers = [Int64(number)] }
}

extension CommitPosition: ExpressibleByIntegerLiteral {
    public init(integerLiteral number: Int) { self.init(number) }
}

extension CommitPosition: LosslessStringConvertible {
    /// Reads the text that ``description`` wrote; nil if the text is not a position.
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
