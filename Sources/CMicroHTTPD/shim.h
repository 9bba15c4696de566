// SPDX-License-Identifier: Apache-2.0

#include <limits.h>
#include <stdlib.h>
#include <microhttpd.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

// Wrappers of variadic functions, which Swift cannot call, and of enumerations, which are plain numbers here. The library declares
// them closed, so a value of a later version would be undefined behaviour in Swift.

typedef struct {
    // A listening socket; the library closes it.
    int listener;
    unsigned int connections;
    // Seconds without a byte, after which a connection is closed.
    unsigned int timeout;
    // The bytes of memory for the head of a request and for buffers.
    size_t memory;
    void *context;
    // Receives the target of each request, as sent. The result is stored with the request.
    void *(*begin)(void *context, const char *target, struct MHD_Connection *connection);
    // Returns 0 to close the connection.
    int (*handle)(
        void *context, struct MHD_Connection *connection, const char *method, const char *version, const char *body,
        size_t *size, void **request);
    void (*end)(void *context, struct MHD_Connection *connection, void **request);
    // `known` is stored with the connection.
    void (*connected)(void *context, struct MHD_Connection *connection, void **known, int is_started);
} laurel_http_settings;

typedef struct {
    laurel_http_settings settings;
    struct MHD_Daemon *daemon;
} laurel_http_server;

static enum MHD_Result laurel_http_handle(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *body, size_t *size, void **request) {
    laurel_http_server *server = context;
    (void)url;
    return server->settings.handle(server->settings.context, connection, method, version, body, size, request) != 0
        ? MHD_YES
        : MHD_NO;
}

static void *laurel_http_begin(void *context, const char *target, struct MHD_Connection *connection) {
    laurel_http_server *server = context;
    return server->settings.begin(server->settings.context, target, connection);
}

static void laurel_http_end(
    void *context, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode why) {
    laurel_http_server *server = context;
    (void)why;
    server->settings.end(server->settings.context, connection, request);
}

static void laurel_http_connected(
    void *context, struct MHD_Connection *connection, void **socket, enum MHD_ConnectionNotificationCode what) {
    laurel_http_server *server = context;
    server->settings.connected(
        server->settings.context, connection, socket, what == MHD_CONNECTION_NOTIFY_STARTED ? 1 : 0);
}

// Targets are split before they are decoded, so the library must not decode them.
static size_t laurel_http_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

// Drops the library's messages about clients' mistakes. The service has its own log of requests.
static void laurel_http_log_nothing(void *context, const char *format, va_list arguments) {
    (void)context;
    (void)format;
    (void)arguments;
}

// Returns 1 if the library itself refuses heads that RFC 9112 forbids, such as bare line feeds and folded lines. It does so from
// version 1.0, as strictly as requested. Older versions have no public option.
static inline int laurel_http_checks_lines(void) { return atoi(MHD_get_version()) >= 1; }

// Two values of version 1.0, which the headers of older versions do not have: the option
// MHD_OPTION_CLIENT_DISCIPLINE_LVL, and the lowest level at which the library refuses bare line feeds and folded
// lines.
enum { laurel_http_discipline = 38, laurel_http_strictness = 1 };

// Returns 0 if the server could not start. The server must not move while it runs.
static inline int laurel_http_start(laurel_http_server *server) {
    const laurel_http_settings *settings = &server->settings;
    // Without MHD_USE_TURBO, the library would shut down sockets that the service has taken over.
#ifdef __linux__
    unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO;
#else
    unsigned int flags = MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO;
#endif
    struct MHD_OptionItem discipline[] = {
        {(enum MHD_OPTION)laurel_http_discipline, laurel_http_strictness, NULL}, {MHD_OPTION_END, 0, NULL}};
    server->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, laurel_http_handle, server, MHD_OPTION_EXTERNAL_LOGGER, laurel_http_log_nothing, NULL,
        MHD_OPTION_LISTEN_SOCKET, settings->listener, MHD_OPTION_CONNECTION_LIMIT, settings->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->timeout, MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory,
        MHD_OPTION_URI_LOG_CALLBACK, laurel_http_begin, server, MHD_OPTION_NOTIFY_COMPLETED, laurel_http_end, server,
        MHD_OPTION_NOTIFY_CONNECTION, laurel_http_connected, server, MHD_OPTION_UNESCAPE_CALLBACK,
        laurel_http_keep_escapes, NULL, MHD_OPTION_ARRAY, laurel_http_checks_lines() ? discipline : discipline + 1,
        MHD_OPTION_END);
    return server->daemon != NULL;
}

// Waits for work, or for bytes in the pipe `wake`, which it reads. Then `MHD_run` does the work. Returns 0 if the library has its
// own thread.
//
// Up to version 0.9.75, the library's own thread can delay requests. If 128 connections, or a multiple of 128, become ready at
// once, it waits for more before it handles them.
static inline int laurel_http_wait(laurel_http_server *server, int wake) {
#ifdef __linux__
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    if (info == NULL) return 0;
    MHD_UNSIGNED_LONG_LONG rest = 0;
    int limit = MHD_get_timeout(server->daemon, &rest) != MHD_YES ? -1 : rest > INT_MAX ? INT_MAX : (int)rest;
    struct pollfd ready[] = {{info->epoll_fd, POLLIN, 0}, {wake, POLLIN, 0}};
    poll(ready, 2, limit);
    char bytes[64];
    if (ready[1].revents != 0) while (read(wake, bytes, sizeof bytes) == sizeof bytes) {}
    return 1;
#else
    (void)server;
    (void)wake;
    return 0;
#endif
}

typedef struct {
    const char *name;
    size_t name_length;
    const char *value;
    size_t value_length;
} laurel_http_field;

typedef struct {
    laurel_http_field *fields;
    int room;
    int count;
} laurel_http_fields;

static enum MHD_Result laurel_http_take(
    void *context, enum MHD_ValueKind kind, const char *name, size_t name_length, const char *value,
    size_t value_length) {
    laurel_http_fields *list = context;
    (void)kind;
    if (list->count < list->room) {
        laurel_http_field field = {name, name_length, value == NULL ? "" : value, value_length};
        list->fields[list->count] = field;
    }
    list->count++;
    return MHD_YES;
}

// Writes the header fields of a request to `fields`, in order and without copying their texts. Returns the number of fields, which
// may be larger than `room`.
static inline int laurel_http_get_fields(struct MHD_Connection *connection, laurel_http_field *fields, int room) {
    laurel_http_fields list = {fields, room, 0};
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, laurel_http_take, &list);
    return list.count;
}

static inline int laurel_http_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

// The pointer stored with a connection.
static inline void *laurel_http_known(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

// A response with a copy of the bytes; NULL if memory is short.
static inline struct MHD_Response *laurel_http_response(const void *bytes, size_t count) {
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

// A response with a streamed body. `read` returns the number of bytes that it has written, 0 if it has suspended the connection,
// or -1 at the end.
static inline struct MHD_Response *laurel_http_stream(
    ssize_t (*read)(void *context, uint64_t position, char *buffer, size_t room), void *context,
    void (*release)(void *context)) {
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read, context, release);
}

#if MHD_VERSION < 0x00097701
static ssize_t laurel_http_no_body(void *context, uint64_t position, char *buffer, size_t room) {
    (void)context, (void)position, (void)buffer, (void)room;
    return MHD_CONTENT_READER_END_OF_STREAM;
}
#endif

// A response for 304, without body and length; NULL if memory is short. Older libraries have no option for it. They leave out the
// length if they may not send chunks, and then close the connection.
static inline struct MHD_Response *laurel_http_bodiless_response(void) {
#if MHD_VERSION < 0x00097701
    struct MHD_Response *response = laurel_http_stream(laurel_http_no_body, NULL, NULL);
    const enum MHD_ResponseFlags flags = MHD_RF_HTTP_1_0_COMPATIBLE_STRICT;
#else
    struct MHD_Response *response = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
    const enum MHD_ResponseFlags flags = MHD_RF_HEAD_ONLY_RESPONSE;
#endif
    if (response != NULL) { MHD_set_response_options(response, flags, MHD_RO_END); }
    return response;
}

// The results of `read` at the end of a stream, and on an error, which closes the connection without the body's end.
enum { laurel_http_end_of_stream = (int)MHD_CONTENT_READER_END_OF_STREAM, laurel_http_end_with_error = (int)MHD_CONTENT_READER_END_WITH_ERROR };

// Returns 0 if the field is not valid.
static inline int laurel_http_add_field(struct MHD_Response *response, const char *name, const char *value) {
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

static inline int laurel_http_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
    return MHD_queue_response(connection, status, response) == MHD_YES;
}
