-- The bare load, with attributes as texts, and data as the JSON of the file.
CREATE OR REPLACE TABLE events AS
SELECT * FROM read_json($file, format = 'newline_delimited', maximum_object_size = 1048576, columns = {
    id: 'VARCHAR', source: 'VARCHAR', type: 'VARCHAR', subject: 'VARCHAR', time: 'VARCHAR',
    language: 'VARCHAR', session: 'VARCHAR', timezone: 'VARCHAR', data: 'JSON'
});
