// SPDX-License-Identifier: Apache-2.0

/** The options that place an outbox at a path: a folder of files, or a SQLite file if the path ends in `.sqlite`. */
export async function place(path) {
  return path.endsWith('.sqlite') ? { storage: await storage(path) } : { folder: path };
}

/** A storage in a SQLite file, as an app of React Native has it. */
async function storage(path) {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS outbox (key INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  const [insert, select, remove] = [
    'INSERT INTO outbox VALUES (?, ?)', 'SELECT key, text FROM outbox WHERE key > ? ORDER BY key LIMIT ?', 'DELETE FROM outbox WHERE key = ?',
  ].map((sql) => database.prepare(sql));
  const whole = (body) => {
    database.exec('BEGIN IMMEDIATE');
    try { body(); } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
    database.exec('COMMIT');
  };
  // As in an app, each call takes another turn of the event loop.
  const turn = () => new Promise((done) => setTimeout(done));
  return {
    async append(records) {
      await turn();
      whole(() => { for (const { key, text } of records) insert.run(key, text); });
    },
    async read(after, most) {
      await turn();
      return select.all(after, most);
    },
    async delete(keys) {
      await turn();
      whole(() => { for (const key of keys) remove.run(key); });
    },
  };
}
