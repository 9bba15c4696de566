// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The Unicode normal forms of an id (Unicode Standard Annex 15).
///
/// Ids are bytes: `é` as one character and as `e` with an accent are two. They look the same, so people take them for one.
package struct NormalForms {
    /// The id itself, and its composed and decomposed forms where these differ from it.
    package private(set) var all: [[UInt8]]

    package init(of id: [UInt8]) {
        let text = String(decoding: id, as: UTF8.self)
        all = [id]
        for form in [text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping] {
            let bytes = Array(form.utf8)
            if !all.contains(bytes) { all.append(bytes) }
        }
    }
}
