// SPDX-License-Identifier: Apache-2.0

/// "; did you mean `NAME`?", or nothing.
package func didYouMean(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean `\($0)`?" } ?? ""
}
