// SPDX-License-Identifier: Apache-2.0

package laurel

import java.io.File
import java.util.TimeZone
import kotlinx.coroutines.Dispatchers

/**
 * Opens a client on the JVM or Android, with its outbox in a folder.
 *
 * @param service the address of the service.
 * @param application the app's name, with which the source of all events begins.
 * @param folder a folder for the outbox alone; see [FileJournal].
 * @param credential returns the key or token to send, or null. It is called before each request, and may block.
 * @throws OutboxError if another client has the folder open, or the folder cannot be written.
 */
fun openClient(
    service: String,
    application: String,
    folder: File,
    credential: () -> String? = { null },
    configuration: Configuration = Configuration(),
): LaurelClient {
    val events = FileJournal(File(folder, "events"), application)
    val refusals = try {
        FileJournal(File(folder, "refused"), application)
    } catch (error: OutboxError) {
        events.close()
        throw error
    }
    return LaurelClient(service, events, refusals, HttpTransport(), ::deviceTime, credential, configuration, Dispatchers.IO)
}

/** The present time, with the offset of the device's time zone. */
fun deviceTime(): Moment = momentOf(System.currentTimeMillis())

/** An instant in the past or future, with the offset of the device's time zone at that instant. */
fun momentOf(milliseconds: Long): Moment = Moment(milliseconds, TimeZone.getDefault().getOffset(milliseconds) / 60_000)
