// SPDX-License-Identifier: Apache-2.0

// The module is re-exported, so that apps need only one import. Events use its types, times and JSON values.
@_exported public import LaurelWire
