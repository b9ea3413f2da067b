-- name: copy.columns (postgres)
select attname::text, format_type(atttypid, null) from pg_attribute
where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum;

-- name: copy.continue_turns (postgres)
select setval('turns', (select max(turn) from jobs)) where exists (select from jobs where turn > 0);

-- name: copy.count_columns (sqlite)
select count(*) from pragma_table_info(?);
