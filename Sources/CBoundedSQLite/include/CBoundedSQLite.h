// SPDX-License-Identifier: Apache-2.0
// Bounds for statements and files of strangers, which SQLite runs for us.

#ifndef LAUREL_BOUNDED_SQLITE_H
#define LAUREL_BOUNDED_SQLITE_H

// SQLite's connection. Its own header stays out of this one, so that one module declares it to Swift.
struct sqlite3;

// Counts the memory that SQLite takes on each thread, from now on. To be called before the process uses SQLite; later it has no
// effect. Returns SQLite's code.
int laurel_sqlite3_count_memory(void);

// Lets SQLite take at most so many bytes on this thread until the end; a statement that wants more fails with SQLITE_NOMEM.
// Without the counting above there is no bound.
void laurel_sqlite3_begin_bound(long long bytes);
void laurel_sqlite3_end_bound(void);

// Turns off what lets a connection do more than read its own tables: views and triggers of the schema, functions that the schema
// may not call, attached databases. Texts, blobs and rows have at most `length` bytes; 0 leaves that as it is.
//
// No instruction of SQLite takes long over texts of that length. That matters because SQLite looks at a deadline only between
// two instructions.
void laurel_sqlite3_confine(struct sqlite3 *database, int length);

#endif
