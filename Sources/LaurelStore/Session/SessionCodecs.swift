// SPDX-License-Identifier: Apache-2.0

/// What packs and unpacks, with its memory. Used by one session at a time.
final class SessionCodecs {
    let decoder = BlockDecoder()
    /// For blocks that are decoded on all cores.
    let decoders = ObjectPool { BlockDecoder() }
    private(set) lazy var compressor = Compressor(level: level)
    private(set) lazy var decompressor = Decompressor()
    private let level: Int32

    init(_ options: StoreOptions) { level = options.snapshotCompressionLevel }
}

extension StoreSession {
    var decoder: BlockDecoder { codecs.decoder }
    var decoders: ObjectPool<BlockDecoder> { codecs.decoders }
    var snapshotCompressor: Compressor { codecs.compressor }
    var snapshotDecompressor: Decompressor { codecs.decompressor }
}
