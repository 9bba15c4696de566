// SPDX-License-Identifier: Apache-2.0

// One import for an app: events are told with the catalogue's types, times and JSON values.
@_exported public import LaurelWire
