// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// A field of `learner.updated` whose latest value is stored, because an expression of this version or of a later one
/// reads it as `learner.FIELD`.
struct LearnerField {
    let name: String
    /// The type: number, text or boolean.
    let type: ValueType
    /// The slot, among the texts if the type is text, else among the event's numbers; nil if only a later version reads
    /// the field.
    let slot: Int?

    /// Writes a value to the field's slot. The bytes of a text must stay valid as long as the slot is used.
    func publish(
        _ value: LearnerFieldValue,
        _ numbers: UnsafeMutablePointer<Double>,
        _ texts: UnsafeMutablePointer<TextSlice>
    ) {
        guard let slot else { return }
        switch value {
        case .null: if type == .text { texts[slot] = TextSlice() } else { numbers[slot] = .nan }
        case .number(let number): numbers[slot] = number
        case .text(let text): texts[slot] = TextSlice(start: text.addressWhileAlive, count: text.count)
        }
    }

    /// The fields that a version stores. These are the fields that its own expressions read. After them come the fields
    /// that later versions read, if this version declares them with the same type.
    static func stored(by rules: RuleSet, later: [FrameLayout.FieldSlot]) -> [LearnerField] {
        var fields = rules.layout.learnerFields.map { LearnerField(name: $0.name, type: $0.type, slot: $0.slot) }
        for field in later where rules.learnerFieldType(field.name) == field.type {
            guard !fields.contains(where: { $0.name.hasSameBytes(as: field.name) }) else { continue }
            fields.append(LearnerField(name: field.name, type: field.type, slot: nil))
        }
        return fields
    }
}

/// The latest value of a field of `learner.updated`.
enum LearnerFieldValue: Equatable {
    /// No event has given the field a value.
    case null
    /// A number, or a boolean as 0 or 1.
    case number(Double)
    case text([UInt8])
}

extension FoldCore {
    /// Stores the fields of a `learner.updated` event that rules read. A value of another type than declared is
    /// ignored.
    mutating func storeLearnerFields() {
        for load in scratch.learnerLoads {
            guard let value = scratch.learnerValue(load, columns) else { continue }
            learner.profile.fields[load.field.slot] = value
        }
        publishLearnerFields()
    }

    /// Makes the stored fields readable by expressions.
    mutating func publishLearnerFields() {
        for place in plan.learnerFields.indices {
            plan.learnerFields[place].publish(learner.profile.fields[place], scratch.numbers, scratch.texts)
        }
    }
}
