-- Only entries of four methods have several subjects. A partial index holds these entries.
-- name: audit.list
select id, principal, role, address, method, call_id, subjects, details, denied_minute, calls, created_at
from audit
where id < $1 and (cast($2 as text) is null or principal = $2) and (cast($3 as text) is null or method = $3)
  and (cast($4 as bigint) is null or created_at >= $4) and (cast($5 as bigint) is null or created_at < $5)
  and (
      cast($6 as text) is null
      or id in (
          select id from audit where subjects = $6
          union all
          select id from audit
          where method in ('BatchGenerate', 'Refill', 'ReleasePuzzles', 'WithdrawPuzzles', 'ImportPuzzles')
            and subjects like cast($7 as text) escape '!'))
order by id desc limit $8;

-- name: audit.count_denied (sqlite)
insert into audit (principal, role, address, method, call_id, calls, created_at, denied_minute)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, $2, $3
from jsonb_each($1) where true order by key
on conflict (principal, method, denied_minute) where denied_minute is not null do update set calls = audit.calls + excluded.calls;
-- name: audit.count_denied (postgres)
insert into audit (principal, role, address, method, call_id, calls, created_at, denied_minute)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, (value ->> 5)::bigint, $2, $3
from json_array_elements($1::json) with ordinality as new (value, rank) order by rank
on conflict (principal, method, denied_minute) where denied_minute is not null do update set calls = audit.calls + excluded.calls;

-- name: audit.insert (sqlite)
insert into audit (principal, role, address, method, call_id, subjects, details, created_at)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, $2
from jsonb_each($1) order by key;
-- name: audit.insert (postgres)
insert into audit (principal, role, address, method, call_id, subjects, details, created_at)
select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, $2
from json_array_elements($1::json) with ordinality as new (value, rank) order by rank;
