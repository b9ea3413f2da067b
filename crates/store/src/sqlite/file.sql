-- name: file.touch (sqlite)
select 1 from sqlite_master limit 1;

-- name: file.schema_version (sqlite)
select version from schema;

-- name: file.tables (sqlite)
select name from sqlite_master where type = 'table';

-- name: file.forget_processes (sqlite)
delete from processes;
