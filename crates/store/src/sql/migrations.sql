-- name: migrations.set_version (sqlite)
update schema set version = ?;
-- name: migrations.set_version (postgres)
update schema set version = $1;

-- Finds the migrations of a database, oldest first, each with the row of `schema`. One statement, because another process may be
-- migrating.
-- name: migrations.find
select applied.version, checksum, schema.version, oldest_compatible from _sqlx_migrations as applied
left join schema on true where success order by applied.version;

-- Like `migrations.find`, for a database of a build without the table `schema`.
-- name: migrations.find_without_row
select version, checksum, null, null from _sqlx_migrations where success;
