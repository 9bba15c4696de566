// SPDX-License-Identifier: Apache-2.0

package laurel

import java.io.BufferedReader
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URI

/** Sends requests with `HttpURLConnection`, which the JVM and Android have. */
class HttpTransport : Transport {
    override fun open(request: Request): Answer = wrapped {
        val connection = URI(request.url).toURL().openConnection() as HttpURLConnection
        connection.instanceFollowRedirects = false
        connection.useCaches = false
        connection.connectTimeout = request.timeout
        connection.readTimeout = request.timeout
        for ((name, value) in request.headers) connection.setRequestProperty(name, value)
        try {
            if (request.body != null) {
                connection.requestMethod = "POST"
                connection.doOutput = true
                connection.outputStream.use { it.write(request.body.toByteArray()) }
            }
            HttpAnswer(connection, connection.responseCode)
        } catch (error: IOException) {
            connection.disconnect()
            throw error
        }
    }
}

private class HttpAnswer(private val connection: HttpURLConnection, override val status: Int) : Answer {
    private val reader: BufferedReader? =
        (if (status < 400) connection.inputStream else connection.errorStream)?.bufferedReader()

    override fun header(name: String): String? = connection.getHeaderField(name)

    override fun readLine(): String? = wrapped { reader?.readLine() }

    override fun close() = connection.disconnect()
}

private inline fun <T> wrapped(body: () -> T): T = try {
    body()
} catch (error: IOException) {
    throw TransportError(error.message ?: error.toString(), error)
} catch (error: IllegalArgumentException) {
    // The address has a syntax or a protocol that the platform does not know.
    throw TransportError(error.message ?: error.toString(), error)
} catch (error: java.net.URISyntaxException) {
    throw TransportError(error.message ?: error.toString(), error)
}
