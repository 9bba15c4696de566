// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// The role of a node among several over one store.
public enum ServiceRole: String, Sendable, CaseIterable {
    case all
    /// The node answers requests, and leaves jobs and messages to other nodes.
    case frontend
    /// The node runs jobs and sends messages, and answers only requests about its state.
    case worker

    var answers: Bool { self != .worker }
    package var works: Bool { self != .frontend }
}

/// The values of a service's settings. Each has the name of a property of ``ServiceSettings``: `options.mostStreams`.
@dynamicMemberLookup
public struct ServiceOptions: Sendable {
    /// The values that differ from the defaults, by the settings' names.
    private var values: [String: any Sendable] = [:]

    /// The most live streams of one learner's tokens.
    static let streamsPerLearner = 20

    /// The clock for webhooks, which tests set forward.
    var now: @Sendable () -> Date = { Date() }

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

    /// The store for display: an address is shown without its password.
    public var shownStore: String { StoreLocation(self.store).description }
}
