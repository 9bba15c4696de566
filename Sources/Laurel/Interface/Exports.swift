// SPDX-License-Identifier: Apache-2.0

// The engine's interface uses these modules, so they are re-exported.
@_exported public import LaurelResults
@_exported public import LaurelWire
