// SPDX-License-Identifier: Apache-2.0

/// A node of a YAML file, with its place in the file. Scalars have no type: the reader decides what each is.
package struct YAMLNode: Sendable {
    package enum Content: Sendable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        case mapping([YAMLEntry])
    }

    /// Byte offset in the file. An alias stands where its anchor does.
    package let offset: Int
    package let content: Content
    /// Nodes in this subtree, itself included.
    let size: Int

    package var scalar: YAMLScalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }

    /// True if it says "nothing here": an empty plain scalar, `~` or `null`.
    package var isNull: Bool {
        guard let scalar, scalar.style == .plain else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.text)
    }

    /// "a mapping", "a list", "a scalar": for messages.
    package var kindName: String {
        switch content {
        case .scalar: "a single value"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}

/// A key of a mapping and its value.
package struct YAMLEntry: Sendable {
    package let key: String
    package let keyOffset: Int
    package let value: YAMLNode
}

/// A scalar's text, and how it was written.
package struct YAMLScalar: Sendable {
    package enum Style: Sendable {
        case plain, singleQuoted, doubleQuoted, literal, folded
    }

    package let text: String
    package let style: Style
    /// Its bytes in the file, quotes or block header included.
    package let range: Range<Int>
}

/// A file as it was read.
struct YAMLDocument {
    let root: YAMLNode
    /// Mistakes that do not keep the rest of the file from being read.
    let mistakes: [YAMLError]
    /// By where a scalar, key or value, starts in the file: where it ends.
    let scalarEnds: [Int: Int]
}

/// Why a file could not be read as YAML at all.
struct YAMLError: Error {
    let offset: Int
    let message: String
}
