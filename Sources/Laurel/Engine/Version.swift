// SPDX-License-Identifier: Apache-2.0

/// The version of Laurel by SemVer. It is defined only here. See docs/stability.md for the guarantees of a version.
package let laurelVersion = "0.3.0"
