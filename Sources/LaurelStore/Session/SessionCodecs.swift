// SPDX-License-Identifier: Apache-2.0

/// The encoders and decoders of a session, with their buffers. Used by one session at a time.
final class SessionCodecs {
    let decoder = BlockDecoder()
    /// Decoders for decoding blocks on all cores, one for each thread.
    private(set) var decoders: [BlockDecoder] = []
    private(set) lazy var compressor = Compressor(level: level)
    private(set) lazy var decompressor = Decompressor()
    private let level: Int32

    init(_ options: StoreOptions) { level = options.snapshotCompressionLevel }

    /// Makes decoders until there are at least `count`.
    func makeDecoders(_ count: Int) { while decoders.count < count { decoders.append(BlockDecoder()) } }
}

extension StoreSession {
    var decoder: BlockDecoder { codecs.decoder }
    var snapshotCompressor: Compressor { codecs.compressor }
    var snapshotDecompressor: Decompressor { codecs.decompressor }
}
