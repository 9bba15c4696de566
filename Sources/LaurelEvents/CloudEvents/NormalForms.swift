// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The Unicode normal forms of an id (Unicode Standard Annex 15).
///
/// Ids are compared as bytes. So `é` as one character and `e` with a combining accent are two ids, although they look
/// the same.
package struct NormalForms {
    /// The id itself, and its composed and decomposed forms if they differ from it.
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
