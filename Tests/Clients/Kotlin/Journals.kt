// SPDX-License-Identifier: Apache-2.0

package laurel.trials

import java.io.File
import java.io.RandomAccessFile
import java.net.ServerSocket
import kotlin.random.Random
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import laurel.Configuration
import laurel.Event
import laurel.Events
import laurel.FileJournal
import laurel.InvalidEvent
import laurel.Moment
import laurel.OutboxError
import laurel.PracticeContext
import laurel.Status
import laurel.openClient

private val failures = mutableListOf<String>()

private fun expect(holds: Boolean, what: () -> String) {
    if (!holds) failures += what()
}

/** Checks of the file journal, the outbox and validation. Prints what fails. */
internal fun journals(folder: String, seed: Long) {
    damaged(File(folder, "damaged"))
    opened(File(folder, "opened"))
    repeat(20) { random(File(folder, "random-$it"), seed + it) }
    large(File(folder, "large"))
    full(File(folder, "full"))
    invalid(File(folder, "invalid"))
    stopped(File(folder, "stopped"))
    moments(seed)
    failures.forEach { println(it) }
}

private fun lines(journal: FileJournal): List<String> = journal.oldest(Int.MAX_VALUE, Long.MAX_VALUE)

/** Files as a kill or a bad disk leaves them, each with the lines that must be left of a, b, c and d; b and c are one record. */
private fun damaged(folder: File) {
    val rows = listOf<Triple<String, (RandomAccessFile) -> Unit, String>>(
        Triple("whole", { }, "abcd"),
        Triple("the last line break is missing", { it.setLength(it.length() - 1) }, "abc"),
        Triple("the last record is cut", { it.setLength(it.length() - 5) }, "abc"),
        Triple("a byte of the first record is flipped", { flip(it, 9) }, "bcd"),
        Triple("a byte of the second record is flipped", { flip(it, 11 + 10) }, "ad"),
        Triple("a checksum is flipped", { flip(it, 11) }, "ad"),
        Triple("a line break is flipped", { flip(it, 10) }, "d"),
        Triple("zeros follow", { it.setLength(it.length() + 4096) }, "abcd"),
        Triple("a text follows", { it.seek(it.length()); it.write("no record\n".toByteArray()) }, "abcd"),
        Triple("nothing is left", { it.setLength(0) }, ""),
    )
    for ((what, damage, left) in rows) {
        val place = File(folder, what)
        FileJournal(place, "test").run {
            append(listOf("a"))
            append(listOf("b", "c"))
            append(listOf("d"))
            close()
        }
        RandomAccessFile(File(place, "log"), "rw").use(damage)
        val journal = FileJournal(place, "test")
        expect(lines(journal).joinToString("") == left) { "$what: ${lines(journal)} instead of $left" }
        expect(journal.count == left.length && journal.bytes == left.length.toLong()) { "$what: ${journal.count}, ${journal.bytes}" }
        // The journal goes on after the damage.
        journal.append(listOf("e"))
        journal.close()
        val again = FileJournal(place, "test")
        expect(lines(again).joinToString("") == left + "e") { "$what: ${lines(again)} after one more" }
        again.close()
    }
}

private fun flip(file: RandomAccessFile, at: Long) {
    file.seek(at)
    val byte = file.read()
    file.seek(at)
    file.write(byte xor 1)
}

private fun opened(folder: File) {
    val journal = FileJournal(folder, "app")
    expect(problem { FileJournal(folder, "app") } == "IN_USE") { "a second journal opens" }
    journal.close()
    val again = FileJournal(folder, "another name")
    expect(again.source == journal.source && again.source.startsWith("app/")) { "the source changes: ${journal.source}, ${again.source}" }
    again.close()
    expect(problem { again.append(listOf("x")) } == "IO_ERROR") { "a closed journal takes lines" }
    val rights = java.nio.file.Files.getPosixFilePermissions(folder.toPath())
    expect(java.nio.file.attribute.PosixFilePermissions.toString(rights) == "rwx------") { "the folder is open to $rights" }
    expect(problem { FileJournal(folder, "x\n") } == "IllegalArgumentException") { "a name with a control character is taken" }
}

/** Random calls against a list, with the journal opened again at random. */
private fun random(folder: File, seed: Long) {
    val random = Random(seed)
    val wanted = ArrayDeque<String>()
    var journal = FileJournal(folder, "test")
    for (step in 0 until 300) {
        when (random.nextInt(5)) {
            0, 1 -> List(random.nextInt(4)) { "{\"é\":${random.nextInt()}}" }.let {
                journal.append(it)
                wanted.addAll(it)
            }
            2 -> random.nextInt(5).let { count ->
                journal.removeOldest(count)
                repeat(minOf(count, wanted.size)) { wanted.removeFirst() }
            }
            3 -> {
                val (count, bytes) = random.nextInt(1, 5) to random.nextLong(60)
                val batch = journal.oldest(count, bytes)
                expect(batch == wanted.take(batch.size) && batch.size <= count && (batch.isNotEmpty() || wanted.isEmpty())) { "seed $seed, step $step: $batch" }
                expect(batch.size < 2 || batch.sumOf { it.toByteArray().size } <= bytes) { "seed $seed, step $step: more than $bytes bytes" }
            }
            else -> {
                journal.close()
                journal = FileJournal(folder, "test")
            }
        }
        expect(journal.count == wanted.size && journal.bytes == wanted.sumOf { it.toByteArray().size }.toLong()) { "seed $seed, step $step: the totals" }
    }
    expect(lines(journal) == wanted) { "seed $seed: the lines" }
    journal.close()
}

/** A long history leaves a small file. */
private fun large(folder: File) {
    val journal = FileJournal(folder, "test")
    val line = "x".repeat(100_000)
    journal.append(listOf("first"))
    repeat(50) {
        journal.append(listOf(line, "after"))
        journal.removeOldest(2)
    }
    expect(lines(journal) == listOf("after")) { "after many lines: ${journal.count}" }
    expect(File(folder, "log").length() < 2_000_000) { "the file has ${File(folder, "log").length()} bytes" }
    journal.close()
    FileJournal(folder, "test").run {
        expect(lines(this) == listOf("after")) { "opened again: $count" }
        close()
    }
}

/** A full outbox refuses events, all of one call, or drops the oldest. */
private fun full(folder: File) = runBlocking {
    val three = List(3) { Events.lineSpoken(line = "$it") }
    val strict = open("http://127.0.0.1:9", "$folder/strict", Configuration(maxEvents = 4))
    strict.record(three, ana)
    expect(problem { runBlocking { strict.record(three, ana) } } == "FULL") { "a full outbox takes events" }
    expect(strict.status.value.pending == 3) { "a call is taken in part" }
    strict.close()
    expect(problem { runBlocking { strict.record(three, ana) } } == "CLOSED") { "a closed client takes events" }
    val lax = open("http://127.0.0.1:9", "$folder/lax", Configuration(maxEvents = 4, dropsOldest = true))
    repeat(2) { lax.record(three, ana) }
    expect(lax.status.value.run { pending == 4 && dropped == 2L }) { "dropped: ${lax.status.value}" }
    lax.close()
}

/** Delivery stops although the service is silent, and goes on after a credential was missing. */
private fun stopped(folder: File) = runBlocking {
    val silent = ServerSocket(0)
    var hasToken = false
    val credential = { if (hasToken) null else error("signed out") }
    val client = openClient("http://127.0.0.1:${silent.localPort}", "test", folder, credential, Configuration(retryBase = 1, retryCap = 2))
    client.record(Events.teamWon(), ana)
    client.start()
    val missing = withTimeout(20_000) { client.status.first { it.failures > 1 } }
    expect(missing.lastProblem == "the credential is not available: signed out") { "$missing" }
    hasToken = true
    withTimeout(20_000) { client.status.first { it.state == Status.State.SENDING && it.failures > 1 } }
    Thread.sleep(50)
    withTimeout(5_000) { client.stop() }
    expect(client.status.value.run { state == Status.State.IDLE && pending == 1 }) { "stopped: ${client.status.value}" }
    val asking = launch { client.progress("ana").collect { } }
    Thread.sleep(50)
    withTimeout(5_000) { asking.cancelAndJoin() }
    client.close()
    silent.close()
}

/** Events that the service would refuse, each with its message. */
private fun invalid(folder: File) = runBlocking {
    val client = open("http://127.0.0.1:9", "$folder")
    val now = laurel.deviceTime().milliseconds
    val deep = (1..100).fold<Int, Any?>(null) { value, _ -> listOf(value) }
    val quest = { value: Any? -> Event("quest.finished", mapOf("x" to value)) }
    val rows = listOf(
        Triple(Events.lineSpoken(accuracy = 1.5), ana, "line.spoken: data.accuracy is 1.5; it must be a number from 0 to 1"),
        Triple(Event("review.graded", mapOf("word" to "w", "grade" to "correct")), ana, "review.graded: data.grade is “correct”; it must be again, hard, good or easy"),
        Triple(Event("review.graded", mapOf("word" to "w")), ana, "review.graded: data.grade is missing"),
        Triple(Events.sessionDiscarded(), ana, "session.discarded: session is missing"),
        Triple(Events.teamWon(), PracticeContext(""), "team.won: subject is “”; it must be text of 1 to 256 bytes (UTF-8)"),
        Triple(Events.teamWon(), ana.copy(language = "español"), "team.won: language is “español”; it must be a BCP 47 tag, such as es or pt-BR"),
        Triple(Events.teamWon(), ana.copy(timezone = "Europe Berlin"), "team.won: timezone is “Europe Berlin”; it must be an IANA time zone, such as Europe/Berlin"),
        Triple(Event("Quest"), ana, "Quest: type must be lower-case words and digits joined by . _ or -, such as line.spoken"),
        Triple(Events.lineSpoken(text = "x".repeat(65_536)), ana, "line.spoken: data has 65547 bytes; it may have 65536 at most (64 KiB)"),
        Triple(quest(Double.NaN), ana, "quest.finished: data.x is NaN, which is no number in JSON"),
        Triple(quest("\ud800"), ana, "quest.finished: data.x has half of a surrogate pair (an emoji cut in two?)"),
        Triple(quest(deep), ana, "quest.finished: data.x has more levels than may be nested"),
        Triple(quest(folder), ana, "quest.finished: data.x is a File, which JSON does not have"),
        Triple(quest(mapOf("a" to listOf(1, null, 2.5f, true))), ana, null),
    )
    for ((event, context, message) in rows) {
        val found = try {
            client.record(event, context)
            null
        } catch (error: InvalidEvent) {
            error.message
        }
        expect(found == message) { "$found instead of $message" }
    }
    expect(problem { runBlocking { client.record(Events.teamWon(), ana, Moment(now + 86_500_000)) } } == "InvalidEvent") { "a time of tomorrow is taken" }
    expect(client.status.value.pending == 1) { "an invalid event waits" }
    client.close()
}

/** Times in text, against the platform's. */
private fun moments(seed: Long) {
    val random = Random(seed)
    repeat(2000) {
        val moment = Moment(random.nextLong(0, 253_402_300_800_000 - 86_400_000), random.nextInt(-14 * 60, 14 * 60))
        val platform = java.time.OffsetDateTime.parse("$moment")
        expect(platform.toInstant().toEpochMilli() == moment.milliseconds && Moment.parse("$moment") == moment) { "seed $seed: $moment" }
    }
    for (text in listOf("2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00+24:00", "")) {
        expect(Moment.parse(text) == null) { "“$text” is a time" }
    }
}

private fun problem(body: () -> Unit): String? = try {
    body()
    null
} catch (error: OutboxError) {
    error.code.name
} catch (error: IllegalArgumentException) {
    error::class.simpleName
}
