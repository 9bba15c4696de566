// SPDX-License-Identifier: Apache-2.0

package laurel

import java.io.File
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.channels.FileLock
import java.nio.channels.OverlappingFileLockException
import java.nio.file.Files
import java.nio.file.StandardCopyOption
import java.nio.file.StandardOpenOption.CREATE
import java.nio.file.StandardOpenOption.READ
import java.nio.file.StandardOpenOption.WRITE
import java.util.UUID
import java.util.zip.CRC32

/**
 * A journal in a folder of its own, for the JVM and Android. Only one journal at a time can open the folder.
 *
 * The file `log` has one record a line: a checksum in eight hexadecimal digits, and `+` with the lines of one [append], joined by
 * tabs; or `-` with the number of the oldest lines that are removed. A damaged record is skipped, so only its lines are lost. When
 * more than half of the file is removed lines, the others are copied to a new file.
 *
 * @param folder the folder, which is created. On Android, take a folder in `noBackupFilesDir`, because a restored backup would give
 * two devices the same source.
 * @param application the app's name, with which the source begins; 1 to 200 bytes without control characters.
 * @throws OutboxError if the folder is in use, or cannot be written.
 */
class FileJournal(private val folder: File, application: String) : Journal {
    private class Place(val position: Long, val length: Int)

    private val log = File(folder, "log")
    private val lock: FileLock
    private var channel: FileChannel
    private val places = ArrayDeque<Place>()

    /** The size of the file's known records. A failed write may have left more bytes behind them. */
    private var size = 0L

    /** True after a failed write. The system may then have forgotten earlier bytes, so the file is copied before the next write. */
    private var isSuspect = false
    override val source: String
    override val count: Int get() = places.size
    override var bytes = 0L
        private set

    init {
        val name = application.toByteArray()
        require(name.size in 1..200 && name.none { it in 0..31 || it.toInt() == 127 }) {
            "the application's name must have 1 to 200 bytes, none of control"
        }
        wrapped { Files.createDirectories(folder.toPath()) }
        allowOnlyOwner()
        lock = locked()
        source = source(application)
        channel = FileChannel.open(log.toPath(), CREATE, READ, WRITE)
        wrapped { recover() }
    }

    /** Closes the folder to other users, because events name learners. Some file systems cannot. */
    private fun allowOnlyOwner() {
        for (isAllowed in listOf(false, true)) {
            folder.setReadable(isAllowed, isAllowed)
            folder.setWritable(isAllowed, isAllowed)
            folder.setExecutable(isAllowed, isAllowed)
        }
    }

    private fun locked(): FileLock = wrapped {
        val file = FileChannel.open(File(folder, "lock").toPath(), CREATE, WRITE)
        val found = try {
            file.tryLock()
        } catch (_: OverlappingFileLockException) {
            null
        }
        found ?: throw OutboxError(OutboxError.Code.IN_USE, "the outbox $folder is in use; one client at a time may open it")
    }

    private fun source(application: String): String = wrapped {
        val file = File(folder, "source")
        if (!file.exists()) replace(file) { it.write(ByteBuffer.wrap("$application/${UUID.randomUUID()}".toByteArray())) }
        file.readText()
    }

    override fun append(lines: List<String>) {
        if (lines.isEmpty()) return
        require(lines.none { '\n' in it || '\t' in it }) { "a line of a journal has no line breaks and no tabs" }
        val encoded = lines.map { it.toByteArray() }
        wrapped { write(record('+', encoded), isDurable = true) }
        addPlaces(size - encoded.sumOf { it.size + 1L }, encoded.map { it.size })
    }

    override fun oldest(count: Int, bytes: Long): List<String> = wrapped {
        val found = ArrayList<String>()
        var total = 0L
        for (place in places) {
            total += place.length
            if (found.size == count || found.isNotEmpty() && total > bytes) break
            found.add(String(read(place.position, place.length)))
        }
        found
    }

    override fun removeOldest(count: Int) = wrapped {
        repeat(minOf(count, places.size)) { bytes -= places.removeFirst().length }
        // The removal is not forced to the disk. If a power cut undoes the removal, the events are sent again and count once.
        write(record('-', listOf("$count".toByteArray())), isDurable = false)
        if (size > 2 * bytes + SLACK) copy()
    }

    override fun close() {
        channel.close()
        lock.channel().close()
    }

    private fun addPlaces(start: Long, lengths: List<Int>) {
        var position = start
        for (length in lengths) {
            places.addLast(Place(position, length))
            bytes += length
            position += length + 1
        }
    }

    private fun record(kind: Char, parts: List<ByteArray>): ByteArray {
        val content = ByteBuffer.allocate(1 + parts.sumOf { it.size + 1 }).put(kind.code.toByte())
        for (part in parts) content.put(part).put(TAB)
        // The last tab becomes the line's end.
        val body = content.array().copyOf(content.capacity() - 1)
        return checksum(body) + body + LINE_END
    }

    private fun checksum(body: ByteArray): ByteArray = "%08x".format(CRC32().apply { update(body) }.value).toByteArray()

    private fun write(record: ByteArray, isDurable: Boolean) {
        if (isSuspect) copy()
        isSuspect = true
        if (channel.size() > size) channel.truncate(size)
        writeAll(channel, ByteBuffer.wrap(record), size)
        if (isDurable) channel.force(true)
        size += record.size
        isSuspect = false
    }

    /** Copies the waiting lines to a new file, which replaces the file at once. */
    private fun copy() {
        val waiting = places.map { read(it.position, it.length) }
        replace(log) { file ->
            var position = 0L
            for (line in waiting) position += writeAll(file, ByteBuffer.wrap(record('+', listOf(line))), position)
        }
        channel.close()
        channel = FileChannel.open(log.toPath(), READ, WRITE)
        recover()
        isSuspect = false
    }

    /** Reads the file. Bytes behind the last line break are of a write that did not finish, and are overwritten later. */
    private fun recover() {
        places.clear()
        bytes = 0
        val all = read(0, channel.size().toInt())
        var start = 0
        for (end in all.indices) {
            if (all[end] != LINE_END) continue
            if (end - start > HEAD) apply(all.copyOfRange(start, end), start.toLong())
            start = end + 1
        }
        size = start.toLong()
    }

    private fun apply(record: ByteArray, start: Long) {
        val body = record.copyOfRange(CHECKSUM, record.size)
        if (!checksum(body).contentEquals(record.copyOf(CHECKSUM))) return
        if (body[0] == '-'.code.toByte()) {
            val removed = String(body, 1, body.size - 1).toInt()
            repeat(minOf(removed, places.size)) { bytes -= places.removeFirst().length }
        } else {
            addPlaces(start + HEAD, String(body, 1, body.size - 1, Charsets.ISO_8859_1).split('\t').map { it.length })
        }
    }

    private fun read(position: Long, length: Int): ByteArray {
        val buffer = ByteBuffer.allocate(length)
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, position + buffer.position()) < 0) throw IOException("$log is shorter than it was")
        }
        return buffer.array()
    }

    private fun replace(file: File, fill: (FileChannel) -> Unit) {
        val draft = File(folder, "${file.name}.new")
        draft.delete()
        FileChannel.open(draft.toPath(), CREATE, WRITE).use {
            fill(it)
            it.force(true)
        }
        Files.move(draft.toPath(), file.toPath(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING)
        // The new name is durable only after the folder is synchronized, too.
        FileChannel.open(folder.toPath(), READ).use { it.force(true) }
    }

    private fun writeAll(file: FileChannel, buffer: ByteBuffer, position: Long): Int {
        while (buffer.hasRemaining()) file.write(buffer, position + buffer.position())
        return buffer.limit()
    }

    private inline fun <T> wrapped(body: () -> T): T = try {
        body()
    } catch (error: IOException) {
        throw OutboxError(OutboxError.Code.IO_ERROR, "the outbox $folder cannot be written: ${error.message ?: error}", error)
    }

    private companion object {
        const val TAB = '\t'.code.toByte()
        const val LINE_END = '\n'.code.toByte()
        const val CHECKSUM = 8

        /** A checksum and the kind of the record. */
        const val HEAD = CHECKSUM + 1
        const val SLACK = 1L shl 20
    }
}
