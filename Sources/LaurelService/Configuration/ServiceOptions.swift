// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// The part of a node among several over one store.
public enum ServiceRole: String, Sendable, CaseIterable {
    case all
    /// It answers, and leaves the work to others.
    case frontend
    /// It works, and answers nothing but how it is.
    case worker

    var answers: Bool { self != .worker }
    package var works: Bool { self != .frontend }
}

/// The values of a service's settings. Each has the name of a property of ``ServiceSettings``: `options.mostStreams`.
@dynamicMemberLookup
public struct ServiceOptions: Sendable {
    /// The values that differ from the initial ones, by the settings' names.
    private var values: [String: any Sendable] = [:]

    /// The most live streams of one learner's tokens.
    static let streamsPerLearner = 20

    /// The clock by which webhooks are told; tests put it on.
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

    /// The store where it is shown: an address is without its password.
    public var shownStore: String { StoreLocation(self.store).description }
}
