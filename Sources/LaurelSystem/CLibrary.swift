// SPDX-License-Identifier: Apache-2.0

// The C library of the platform, and parts of C that Swift cannot import. All modules of the engine import the C
// library from here.
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
    /// The time of the last change of the file's contents.
    package var contentsChanged: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }
}
