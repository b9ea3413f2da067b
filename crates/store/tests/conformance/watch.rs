//! Reads whole tables, to compare databases row by row.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sqlx::{AssertSqlSafe, Executor as _, PgConnection, SqliteConnection};

/// The rows of each table, in one text.
pub(crate) type Tables = BTreeMap<String, String>;

/// The tables that differ, with their rows in both.
pub(crate) fn differing(left: &Tables, right: &Tables) -> Vec<[String; 3]> {
    let all = left.iter().filter_map(|(name, rows)| Some((name, rows, right.get(name)?)));
    all.filter(|(_, left, right)| left != right)
        .map(|(name, left, right)| [name.clone(), left.clone(), right.clone()])
        .collect()
}

/// A connection besides those of the store.
#[async_trait]
pub(crate) trait Watch: Send {
    /// Reads all rows, without the columns that a write which was rolled back may change: the measured size, and the turns of
    /// jobs. Afterwards, IDs continue after the last row, as if no write had been rolled back.
    async fn tables(&mut self) -> Tables;
}

#[async_trait]
impl Watch for SqliteConnection {
    async fn tables(&mut self) -> Tables {
        let selects = "select group_concat(one, ' union all ') from (
            select 'select ''' || m.name || ''', coalesce(group_concat(' || group_concat('quote(' || c.name || ')', '||'',''||') || ', x''0a''), '''') from ' || m.name as one
            from sqlite_master m join pragma_table_info(m.name) c
            where m.type = 'table' and m.name not like '\\_sqlx%' escape '\\' and m.name not like 'sqlite%'
              and c.name not in ('bytes_used', 'turn')
            group by m.name)";
        let selects: String = sqlx::query_scalar(selects).fetch_one(&mut *self).await.unwrap();
        let tables: Vec<(String, String)> = sqlx::query_as(AssertSqlSafe(selects)).fetch_all(self).await.unwrap();
        tables.into_iter().collect()
    }
}

#[async_trait]
impl Watch for PgConnection {
    async fn tables(&mut self) -> Tables {
        let selects = "select string_agg(format(
            'select %L, coalesce(string_agg((to_jsonb(t) - ''bytes_used'' - ''turn'')::text, chr(10) order by t::text), '''') from %I t',
            table_name, table_name), ' union all ')
            from information_schema.tables where table_schema = 'public' and table_name not like '\\_sqlx%'";
        let selects: String = sqlx::query_scalar(selects).fetch_one(&mut *self).await.unwrap();
        let tables: Vec<(String, String)> = sqlx::query_as(AssertSqlSafe(selects)).fetch_all(&mut *self).await.unwrap();
        let renumber = "
            create temp table if not exists last_ids (sequence text primary key, id bigint);
            do $$ declare one record; begin
                for one in select table_name as t, pg_get_serial_sequence(table_name, column_name) as s
                           from information_schema.columns
                           where table_schema = 'public' and is_identity = 'YES' and column_name = 'id' loop
                    execute format('insert into last_ids select %L, coalesce(max(id), 0) from %I
                                    on conflict (sequence) do update set id = greatest(last_ids.id, excluded.id)',
                                   one.s, one.t);
                end loop;
                perform setval(sequence::regclass, greatest(id, 1), id > 0) from last_ids;
            end $$";
        self.execute(renumber).await.unwrap();
        tables.into_iter().collect()
    }
}
