// SPDX-License-Identifier: Apache-2.0

/// The events that a sender may send; docs/events.md, "Who may send what".
public enum SenderRights: Sendable, Hashable {
    /// Every event. Files, and events of this process, are an administrator's.
    case administrator
    /// Every event but an administrator's, of which those of these types.
    case limited(types: Set<String> = [])
}
