// SPDX-License-Identifier: Apache-2.0

// The C library, whatever it is called here, and what only C says of a platform: every module of the engine imports this
// one for it.
@_exported public import CSystem

#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#else
    #error("the engine runs on Linux and macOS; LaurelClient runs elsewhere, too")
#endif

extension stat {
    /// When the file's contents changed last.
    package var contentsChanged: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }
}
