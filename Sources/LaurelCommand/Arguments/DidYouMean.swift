// SPDX-License-Identifier: Apache-2.0

import Laurel

/// `; did you mean NAME?`, or nothing.
func didYouMean(_ name: String?) -> String {
    name.map { "; did you mean \($0)?" } ?? ""
}

extension Sequence<String> {
    /// The one that a mistyped name, or the beginning of a name, most likely meant.
    func nearest(to name: String) -> String? { nearestName(to: name, among: self, takesBeginnings: true) }
}
