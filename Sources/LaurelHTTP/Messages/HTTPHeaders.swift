// SPDX-License-Identifier: Apache-2.0

/// Header fields in their order. The case of names does not matter.
public struct HTTPHeaders: Sendable, Hashable {
    /// A field, as it was sent or will be sent.
    public struct Field: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    public private(set) var fields: [Field] = []

    public init() {}

    /// The value of the first field with a name. Setting a value replaces all fields with the name; setting nil removes
    /// them.
    public subscript(name: String) -> String? {
        get { index(of: name).map { fields[$0].value } }
        set {
            fields.removeAll { Self.areSame($0.name, name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// The values of all fields with a name.
    public func values(of name: String) -> [String] {
        fields.filter { Self.areSame($0.name, name) }.map(\.value)
    }

    /// The number of fields with a name.
    func count(of name: String) -> Int {
        guard var index = index(of: name) else { return 0 }
        var count = 1
        while let next = self.index(of: name, from: index + 1) { (index, count) = (next, count + 1) }
        return count
    }

    /// The index of the first field with a name; nil if there is no such field. The search uses indexes, because
    /// copying a field costs more than comparing its name.
    private func index(of name: String, from first: Int = 0) -> Int? {
        let length = name.utf8.count
        return fields[first...].indices.first {
            fields[$0].name.utf8.count == length && Self.areSame(fields[$0].name, name)
        }
    }

    mutating func reserve(_ count: Int) { fields.reserveCapacity(count) }

    public mutating func add(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

    static func areSame(_ one: String, _ other: String) -> Bool {
        let (one, other) = (one.utf8, other.utf8)
        guard one.count == other.count else { return false }
        // Both texts are nearly always contiguous in memory.
        let found: Bool?? = one.withContiguousStorageIfAvailable { one in
            other.withContiguousStorageIfAvailable { other in
                one.indices.allSatisfy { lower(one[$0]) == lower(other[$0]) }
            }
        }
        return (found ?? nil) ?? zip(one, other).allSatisfy { lower($0) == lower($1) }
    }

    static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
