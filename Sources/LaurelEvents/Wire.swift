// Whoever reads events needs to name them: the catalogue, `Event`, times and JSON values come along.
@_exported public import LaurelWire
