// SPDX-License-Identifier: Apache-2.0

/// Corrections that a learner's device may send.
extension LearningEvent {
    /// `event.retracted`: voids one event of the same learner.
    ///
    /// From a learner's device the event must be stored, or of the same source as the retraction; an administrator's event cannot be
    /// retracted from there.
    public static func eventRetracted(source: String, id: String) -> LearningEvent {
        LearningEvent("event.retracted", ["source": source, "id": id])
    }
}
