// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelResults
import LaurelWire

/// Learns the form of a type's JSON. The learner decodes a value of the type with invented members, and encodes the
/// value. So a description has exactly the members that are sent, in their order.
final class ShapeLearner {
    private(set) var objects: [String: [Shape.Member]] = [:]
    private(set) var failures: [String] = []
    private var shapes: [ObjectIdentifier: Shape] = [:]
    /// The latest number that a decoder has invented. Numbers ascend, so that an interval does not end before it
    /// begins.
    private var latest = 0
    /// False to invent equal numbers. Some types need equal numbers, such as a sample that contains everyone.
    private var numbersAscend = true

    func shape(of type: any Decodable.Type) -> Shape {
        if let leaf = leaf(type) { return leaf.shape }
        if let texts = choice(type) { return .choice(texts.names) }
        if let shape = shapes[ObjectIdentifier(type)] { return shape }
        shapes[ObjectIdentifier(type)] = .object(Self.name(of: type))
        let shape = learn(type)
        shapes[ObjectIdentifier(type)] = shape
        return shape
    }

    /// A value of a type, with all optional members present.
    /// - Parameter variant: the index of the case, for an enumeration.
    func make<Value: Decodable>(_ type: Value.Type, variant: Int = 0) throws -> Value {
        if let value = leaf(type)?.value as? Value { return value }
        if let values = choice(type)?.values, let value = values[variant % values.count] as? Value { return value }
        return try Value(from: ShapeDecoder(learner: self, recording: Recording(Self.name(of: type))))
    }

    private func leaf(_ type: any Decodable.Type) -> (shape: Shape, value: Any)? {
        if numbersAscend, type == Int.self || type == Int64.self || type == Double.self { latest += 1 }
        return switch type {
        case is String.Type: (.string, "2026-04-05T16:00:00.000Z")
        case is Bool.Type: (.boolean, true)
        case is Int.Type: (.integer, latest)
        case is Int64.Type: (.integer, Int64(latest))
        case is Double.Type: (.number, Double(latest))
        case is Date.Type: (.instant, Date(timeIntervalSince1970: 1_775_404_800))
        case is LocalDay.Type: (.day, LocalDay(year: 2026, month: 4, day: 5))
        default: nil
        }
    }

    /// The cases of an enumeration as texts and as values; nil for another type.
    private func choice(_ type: any Decodable.Type) -> (names: [String], values: [Any])? {
        func cases<Value: CaseIterable & RawRepresentable>(_ type: Value.Type) -> (names: [String], values: [Any])? {
            let names = type.allCases.compactMap { $0.rawValue as? String }
            return names.isEmpty ? nil : (names, Array(type.allCases))
        }
        return (type as? any (CaseIterable & RawRepresentable).Type).flatMap { cases($0) }
    }

    private func learn<Value: Decodable>(_ type: Value.Type) -> Shape {
        let recording = Recording(Self.name(of: type))
        let outer = numbersAscend
        defer { numbersAscend = outer }
        var sent = SentMembers()
        while recording.variant < recording.variants {
            for mode in Recording.Mode.allCases {
                (recording.mode, numbersAscend) = (mode, mode != .missing)
                do {
                    let value = try Value(from: ShapeDecoder(learner: self, recording: recording))
                    if let value = value as? any Encodable { sent.add(try LaurelJSON.encode(value)) }
                } catch {
                    if mode == .full { failures.append("\(type): \(error)") }
                }
            }
            recording.variant += 1
        }
        if let shape = recording.shape { return shape }
        if objects[recording.name] != nil { failures.append("\(type): another type has this name") }
        objects[recording.name] = sent.members(recording)
        return .object(recording.name)
    }

    /// The name of a type without its module: `XPExplanation.Entry`.
    static func name(of type: Any.Type) -> String {
        let parts = String(reflecting: type).split(separator: ".").filter { $0.first != "(" }
        return parts.dropFirst().joined(separator: ".")
    }
}
