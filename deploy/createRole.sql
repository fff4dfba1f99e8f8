-- Run once by the image of PostgreSQL (/docker-entrypoint-initdb.d), with psql, as its superuser, when it has created the database.
-- The service gets a role of its own: row-level security does not hold for superusers.
\getenv password POSTGRES_PASSWORD
create role sendroom login password :'password';
alter database sendroom owner to sendroom;
-- Who knows the password of the service must not be the superuser: that one uses the socket in the container.
alter role current_user password null;
