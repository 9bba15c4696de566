// SPDX-License-Identifier: Apache-2.0

package laurel

import kotlin.coroutines.cancellation.CancellationException

/**
 * A way to send HTTP requests. It must not follow redirects, because another server would get the events and the credential.
 *
 * Calls may block. The client makes several calls at a time, on threads of its dispatcher.
 */
interface Transport {
    /**
     * Sends a request, and returns when the head of the answer has arrived.
     *
     * @throws TransportError if there is no answer.
     */
    @Throws(TransportError::class, CancellationException::class)
    fun open(request: Request): Answer
}

/**
 * A request.
 *
 * @property url the whole address.
 * @property headers the header fields, without `Content-Length`.
 * @property body the body of a `POST`; null for a `GET`.
 * @property timeout the longest silence of the service, in milliseconds.
 */
class Request(val url: String, val headers: Map<String, String>, val body: String?, val timeout: Int)

/** An answer. Its body may be endless, such as that of a live stream. */
interface Answer {
    /** The HTTP status. */
    val status: Int

    /** A header field, found in any spelling of its name; null if there is none. */
    fun header(name: String): String?

    /** The next line of the body, without its line break; null at the end. */
    @Throws(TransportError::class, CancellationException::class)
    fun readLine(): String?

    /** Ends the request. A thread that waits in [readLine] returns. */
    fun close()
}

/** The reason why there is no answer, or only a part of it. */
class TransportError(message: String, cause: Throwable? = null) : Exception(message, cause)
