// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// The role of a node, if several nodes use one store.
public enum ServiceRole: String, Sendable, CaseIterable {
    case all
    /// The node answers requests, and leaves jobs and messages to other nodes.
    case frontend
    /// The node runs jobs and sends messages, and answers only requests about its state.
    case worker

    var answers: Bool { self != .worker }
    package var works: Bool { self != .frontend }
}

/// The values of a service's settings. Each value has the name of a property of ``ServiceSettings``, such as
/// `options.mostStreams`.
@dynamicMemberLookup
public struct ServiceOptions: Sendable {
    /// The values that differ from the defaults, by the settings' names.
    private var values: [String: any Sendable] = [:]

    /// The maximum number of live streams that one learner's tokens may open.
    static let streamsPerLearner = 20

    /// The clock of webhooks. Tests set it forward.
    var now: @Sendable () -> Date = { Date() }
    /// The number of seconds from which a report counts as slow to make. Tests set it to 0.
    var slowReport = 0.5

    public init() {}

    subscript<Value>(setting: Setting<Value>) -> Value {
        get {
            guard let value = values[setting.name] else { return setting.initial }
            return value as? Value ?? setting.initial
        }
        set { values[setting.name] = newValue }
    }

    public subscript<Value>(dynamicMember setting: KeyPath<ServiceSettings, Setting<Value>>) -> Value {
        get { self[ServiceSettings.shared[keyPath: setting]] }
        set { self[ServiceSettings.shared[keyPath: setting]] = newValue }
    }

    /// The store's path or address for people. The password of an address is left out.
    public var shownStore: String { StoreLocation(self.store).description }
}
