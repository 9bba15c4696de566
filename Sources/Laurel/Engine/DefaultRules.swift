// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
package import LaurelRules

/// The rules of a store without rules of its own: `Rules/starter.yaml`, built in.
package enum DefaultRules {
    package static let fileName = "Rules/starter.yaml"
    package static var source: [UInt8] { PackageResources.starter_yaml }

    package static func load() throws(RulesError) -> RuleSet {
        try RuleSet(yaml: source, file: fileName) { TimeZoneDatabase.shared.zone(named: $0) != nil }
    }
}
