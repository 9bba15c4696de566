// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// A season: a span of local days with a name, both ends included.
package struct Season: Sendable {
    package let name: String
    package let days: ClosedRange<LocalDay>
}
