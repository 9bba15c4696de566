// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelSystem

/// The file to which a store's first key is written if there is no terminal.
struct FirstKeyFile {
    /// The path. If the store is a file, the path is beside that file. If the store is a database, the path is in the
    /// state directory that systemd gives the service, or else in the working directory.
    let path: String

    init(store: String) {
        if StoreLocation(store).isDatabase {
            let folder = System.environment("STATE_DIRECTORY").map { $0 + "/" } ?? ""
            path = folder + "laurel.first-key"
        } else {
            path = store + ".first-key"
        }
    }

    /// Writes a key. Afterwards, only the file's owner can read the file, even if it existed with other permissions.
    func write(_ secret: String) throws {
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure }
        defer { close(descriptor) }
        let bytes = Array((secret + "\n").utf8)
        guard bytes.withUnsafeBytes({ LaurelSystem.write(descriptor, $0.baseAddress, $0.count) }) == bytes.count,
            fsync(descriptor) == 0
        else { throw failure }
    }

    /// Deletes the file. Call it if another node has made the store's first key meanwhile.
    func remove() { unlink(path) }

    private var failure: CommandFailure {
        CommandFailure(
            .failed,
            "\(path): the store's first key cannot be written there: \(String(cString: strerror(errno)))"
        )
    }
}
