// SPDX-License-Identifier: Apache-2.0

/// Writes all bytes to a file, a pipe or a socket. Interrupted calls are repeated.
/// - Returns: false after a failure, whose reason is in `errno`.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
        let count = write(descriptor, rest.baseAddress, rest.count)
        if count > 0 {
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if errno != EINTR {
            return false
        }
    }
    return true
}
