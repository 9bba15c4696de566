// SPDX-License-Identifier: Apache-2.0

/// A text, given by bytes that another object owns. `start` is nil for null. Texts are compared bytewise.
@usableFromInline
package struct TextSlice: BitwiseCopyable {
    @usableFromInline package var start: UnsafePointer<UInt8>?
    @usableFromInline package var count: Int

    @inlinable
    package init(start: UnsafePointer<UInt8>?, count: Int) {
        self.start = start
        self.count = count
    }

    /// Creates null.
    @inlinable
    package init() {
        start = nil
        count = 0
    }
}

/// The values that an expression can read, in the layout of ``FrameLayout``. The caller owns the memory.
///
/// Numbers are finite, or NaN for null. Booleans are 0, 1, or NaN for null.
package struct Frame: BitwiseCopyable {
    /// The track's numbers: windows, streak, level, words.
    package let track: UnsafePointer<Double>
    /// The event's numbers: `earned`, `n`, `local.*`, `word.*`, numeric and boolean fields.
    package let event: UnsafePointer<Double>
    /// The event's texts: attributes and text fields.
    package let texts: UnsafePointer<TextSlice>

    package init(track: UnsafePointer<Double>, event: UnsafePointer<Double>, texts: UnsafePointer<TextSlice>) {
        self.track = track
        self.event = event
        self.texts = texts
    }
}
