// SPDX-License-Identifier: Apache-2.0

extension Array {
    /// The address of the elements, valid as long as the array is kept and not changed.
    @inlinable
    package var addressWhileAlive: UnsafePointer<Element> {
        withUnsafeBufferPointer { $0.baseAddress ?? UnsafePointer(bitPattern: MemoryLayout<Element>.alignment)! }
    }
}
