// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The members that a type has read from a decoder.
final class Recording {
    /// The values that a decoder gives for optional members.
    enum Mode: CaseIterable {
        case full, null, missing
        /// `first`: members with an odd index are null. `second`: members with an even index are null.
        case first, second
    }

    let name: String
    var mode = Mode.full
    /// The index of the case that enumerations are decoded as, and the number of cases to try.
    var (variant, variants) = (0, 1)
    private var noted: [Shape.Member] = []
    private var nested: [String: Recording] = [:]
    /// True if the type accepts members of any name, as a dictionary does.
    var hasAnyNames = false
    /// The shape of a value without members.
    var value: Shape?

    init(_ name: String) { self.name = name }

    var members: [Shape.Member] {
        noted.map { member in
            var member = member
            if let inner = nested[member.name] { member.shape = inner.shape ?? .members(inner.members) }
            return member
        }
    }

    /// The shape if the value is not an object with known members; otherwise nil.
    var shape: Shape? {
        if hasAnyNames { return .map(members.first?.shape ?? .any) }
        return noted.isEmpty ? value ?? .any : nil
    }

    func note(_ name: String, _ shape: Shape, in keys: any CodingKey.Type) {
        guard !noted.contains(where: { $0.name == name }) else { return }
        let owner = ShapeLearner.name(of: keys).split(separator: ".").dropLast().joined(separator: ".")
        noted.append(Shape.Member(name: name, shape: shape, owner: owner.isEmpty ? self.name : owner))
    }

    /// The recording of a member that is decoded from a nested container.
    func nested(_ name: String, in keys: any CodingKey.Type) -> Recording {
        note(name, .any, in: keys)
        let inner = nested[name] ?? Recording(noted.first { $0.name == name }?.owner ?? self.name)
        nested[name] = inner
        return inner
    }

    /// Records that a member is optional.
    /// - Returns: true if the member must be null in the present mode.
    func noteOptional(_ name: String) -> Bool {
        guard let index = noted.firstIndex(where: { $0.name == name }) else { return mode != .full }
        (noted[index].mayBeMissing, noted[index].mayBeNull) = (true, true)
        return switch mode {
        case .full: false
        case .null, .missing: true
        case .first: index % 2 == 1
        case .second: index % 2 == 0
        }
    }
}

/// A decoder without input. It invents each value that a type decodes, and records the member.
struct ShapeDecoder: Decoder {
    let learner: ShapeLearner
    let recording: Recording

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(MembersDecoder(learner: learner, recording: recording))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { ElementDecoder(decoder: self) }
    func singleValueContainer() -> any SingleValueDecodingContainer { ValueDecoder(decoder: self) }
}

private struct MembersDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let learner: ShapeLearner
    let recording: Recording

    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        recording.hasAnyNames = true
        return Key(stringValue: "name").map { [$0] } ?? []
    }

    func contains(_ key: Key) -> Bool { recording.mode != .missing }

    func decodeNil(forKey key: Key) -> Bool { recording.noteOptional(key.stringValue) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let shape = learner.shape(of: type)
        recording.note(key.stringValue, shape, in: Key.self)
        if case .choice(let names) = shape { recording.variants = max(recording.variants, names.count) }
        return try learner.make(type, variant: recording.variant)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        let value = try decode(type, forKey: key)
        return recording.noteOptional(key.stringValue) ? nil : value
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
        -> KeyedDecodingContainer<Nested>
    {
        try superDecoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try superDecoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { ShapeDecoder(learner: learner, recording: recording) }
    func superDecoder(forKey key: Key) -> any Decoder {
        ShapeDecoder(learner: learner, recording: recording.nested(key.stringValue, in: Key.self))
    }
}

private struct ElementDecoder: UnkeyedDecodingContainer {
    let decoder: ShapeDecoder
    private(set) var currentIndex = 0

    init(decoder: ShapeDecoder) { self.decoder = decoder }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { 1 }
    var isAtEnd: Bool { currentIndex == 1 }

    func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        currentIndex = 1
        decoder.recording.value = .list(decoder.learner.shape(of: type))
        return try decoder.learner.make(type)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
        decoder.container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { decoder.unkeyedContainer() }
    func superDecoder() -> any Decoder { decoder }
}

private struct ValueDecoder: SingleValueDecodingContainer {
    let decoder: ShapeDecoder

    var codingPath: [any CodingKey] { [] }

    /// A single value that may be null can have any type, so it is recorded as any JSON.
    func decodeNil() -> Bool {
        decoder.recording.value = .any
        return true
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        decoder.recording.value = decoder.learner.shape(of: type)
        return try decoder.learner.make(type)
    }
}
