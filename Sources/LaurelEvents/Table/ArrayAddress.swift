// SPDX-License-Identifier: Apache-2.0

extension Array {
    /// Where its elements are, for as long as it is kept and not changed.
    @inlinable
    package var addressWhileAlive: UnsafePointer<Element> {
        withUnsafeBufferPointer { $0.baseAddress ?? UnsafePointer(bitPattern: MemoryLayout<Element>.alignment)! }
    }
}
