// SPDX-License-Identifier: Apache-2.0

/// Constant texts at fixed addresses.
///
/// `@unchecked Sendable`: the memory is not written after `init`.
package final class TextConstants: @unchecked Sendable {
    package let slices: [TextSlice]
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    package init(_ texts: [String?]) {
        let all = texts.flatMap { Array(($0 ?? "").utf8) }
        bytes = .allocate(capacity: max(1, all.count))
        _ = bytes.initialize(from: all)
        var start = UnsafePointer(bytes.baseAddress!)
        slices = texts.map { text in
            guard let text else { return TextSlice() }
            defer { start += text.utf8.count }
            return TextSlice(start: start, count: text.utf8.count)
        }
    }

    deinit { bytes.deallocate() }
}
