// SPDX-License-Identifier: Apache-2.0

/// A node of a YAML file, with its position in the file. A scalar has no type. The code that reads the scalar decides
/// its type.
package struct YAMLNode: Sendable {
    package enum Content: Sendable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        case mapping([YAMLEntry])
    }

    /// The byte offset in the file. An alias has the offset of its anchor.
    package let offset: Int
    package let content: Content
    /// The number of nodes in the subtree, including this node.
    let size: Int

    package var scalar: YAMLScalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }

    /// True if the node is null: an empty plain scalar, `~` or `null`.
    package var isNull: Bool {
        guard let scalar, scalar.style == .plain else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.text)
    }

    /// The kind in messages: "a mapping", "a list" or "a scalar".
    package var kindName: String {
        switch content {
        case .scalar: "a single value"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}

/// A key of a mapping, and its value.
package struct YAMLEntry: Sendable {
    package let key: String
    package let keyOffset: Int
    package let value: YAMLNode
}

/// A scalar's text, and its style.
package struct YAMLScalar: Sendable {
    package enum Style: Sendable {
        case plain, singleQuoted, doubleQuoted, literal, folded
    }

    package let text: String
    package let style: Style
    /// The byte range in the file, including quotes or the block's header.
    package let range: Range<Int>
}

/// A document, as read from a file.
struct YAMLDocument {
    let root: YAMLNode
    /// Mistakes that did not prevent reading the rest of the file.
    let mistakes: [YAMLError]
    /// The end offsets of scalar keys and values, by their start offsets.
    let scalarEnds: [Int: Int]
}

/// A mistake because of which the file cannot be read at all.
struct YAMLError: Error {
    let offset: Int
    let message: String
}
