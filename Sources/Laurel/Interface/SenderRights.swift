// SPDX-License-Identifier: Apache-2.0

/// The events that a sender may send; see docs/events.md, "Who may send what".
public enum SenderRights: Sendable, Hashable {
    /// All events. Files, and events created in this process, have these rights.
    case administrator
    /// All ordinary events, and an administrator's events of the given types.
    case limited(types: Set<String> = [])
}
