-- SPDX-License-Identifier: Apache-2.0
-- Laurel's roles and database, for psql as an administrator of the server. `laurel` owns the tables; `laurel_serve` reads and writes rows.
\getenv owner_password OWNER_PASSWORD
\getenv writer_password WRITER_PASSWORD
CREATE ROLE laurel LOGIN PASSWORD :'owner_password';
CREATE ROLE laurel_serve LOGIN PASSWORD :'writer_password';
CREATE DATABASE laurel OWNER laurel ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE laurel FROM PUBLIC;
GRANT CONNECT, TEMPORARY ON DATABASE laurel TO laurel_serve;
