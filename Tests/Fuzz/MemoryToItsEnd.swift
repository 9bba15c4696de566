// SPDX-License-Identifier: Apache-2.0

import LaurelSystem

/// Memory behind which none may be read: whoever does ends the process.
final class MemoryToItsEnd {
    #if LIBFUZZER
        /// - Parameter body: given a copy that has memory of its own, which the address sanitizer guards on both sides.
        func withCopy(of bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
            defer { copy.deallocate() }
            _ = copy.initialize(from: bytes)
            body(UnsafeBufferPointer(copy))
        }
    #else
        /// More than twice as long as the longest input, and a page that cannot be read.
        private static let size = 1 << 18
        private let start: UnsafeMutableRawPointer

        init() {
            let page = Int(sysconf(Int32(_SC_PAGESIZE)))
            let flags = MAP_PRIVATE | MAP_ANONYMOUS
            start = mmap(nil, MemoryToItsEnd.size + page, PROT_READ | PROT_WRITE, flags, -1, 0)
            mprotect(start + MemoryToItsEnd.size, page, PROT_NONE)
        }

        /// - Parameter body: given a copy that ends where what may be read does.
        func withCopy(of bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
            guard bytes.count <= MemoryToItsEnd.size else { return }
            let place = start + MemoryToItsEnd.size - bytes.count
            place.copyMemory(from: bytes, byteCount: bytes.count)
            body(UnsafeBufferPointer(start: place.assumingMemoryBound(to: UInt8.self), count: bytes.count))
        }
    #endif
}
