// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// A key for a list of rules versions. It contains the hash of each version, and the day from which the version is in
/// force. Different lists have different keys.
package enum RulesKey {
    package static func key(_ versions: some Sequence<(hash: String, from: LocalDay?)>) -> String {
        versions.map { version in version.hash + (version.from.map { "@\($0.number)" } ?? "") }.joined(separator: " ")
    }

    package static func key(_ versions: [RulesRecord]) -> String { key(versions.lazy.map { ($0.hash, $0.from) }) }
}
