-- name: server.begin (postgres)
begin; select (extract(epoch from clock_timestamp()) * 1000)::bigint, current_setting('transaction_read_only')::bool;

-- name: server.ping (postgres)
select 1;

-- name: server.notify (postgres)
select pg_notify($1, payload) from unnest($2::text[]) as payload;

-- name: server.lock (postgres)
select pg_advisory_xact_lock($1);

-- name: server.try_lock (postgres)
select pg_try_advisory_lock($1);

-- name: server.lock_audiences (postgres)
select pg_advisory_xact_lock($1, key)
from (select distinct hashtext(name) as key from unnest($2::text[]) as name order by key) as keys;

-- name: server.is_index_invalid (postgres)
select exists (select from pg_index where indexrelid = to_regclass($1) and not indisvalid);

-- The server's clock, in milliseconds since 1970.
-- name: server.clock (postgres)
select (extract(epoch from clock_timestamp()) * 1000)::bigint;

-- The names of the tables that new tables would join, without those of extensions.
-- name: server.tables (postgres)
select relname::text from pg_class
where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
  and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e');

-- name: server.survey (postgres)
select (extract(epoch from clock_timestamp()) * 1000)::bigint, current_user::text, pg_is_in_recovery(),
    current_setting('default_transaction_read_only')::bool, coalesce(has_schema_privilege(current_schema(), 'create'), false);

-- name: server.missing_privileges (postgres)
select upper(wanted.name) || ' on ' || tables.name
from unnest($1::text[]) with ordinality as tables (name, rank)
cross join unnest(array['select', 'insert', 'update', 'delete']) with ordinality as wanted (name, rank)
where to_regclass(tables.name) is not null and not has_table_privilege(to_regclass(tables.name), wanted.name)
order by tables.rank, wanted.rank;
