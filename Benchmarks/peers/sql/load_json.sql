-- The bare load: the attributes as texts, the data as the JSON it came as.
CREATE OR REPLACE TABLE events AS
SELECT * FROM read_json($file, format = 'newline_delimited', maximum_object_size = 1048576, columns = {
    id: 'VARCHAR', source: 'VARCHAR', type: 'VARCHAR', subject: 'VARCHAR', time: 'VARCHAR',
    language: 'VARCHAR', session: 'VARCHAR', timezone: 'VARCHAR', data: 'JSON'
});
