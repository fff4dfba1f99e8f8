-- Run once by the PostgreSQL image (/docker-entrypoint-initdb.d), with psql as superuser, after it created the database.
-- The service gets its own role: superusers bypass row-level security.
\getenv password POSTGRES_PASSWORD
create role sendroom login password :'password';
alter database sendroom owner to sendroom;
-- The service's password must not open the superuser, who uses the container's socket.
alter role current_user password null;
