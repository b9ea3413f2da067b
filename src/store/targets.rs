//! Stock targets: setting, listing and deleting them, and taking over what the configuration file declares.

use async_trait::async_trait;

use super::{
    StoreError,
    columns::Columns,
    database::{Database, Lock, Sql, Write, number, values},
    rows,
    target::{Rate, StockTarget, TargetId, TargetSet, Wish},
};
use puzzled_engine::{ENGINE_VERSION, spec::Target};

/// Stock targets.
#[async_trait]
pub trait TargetStore {
    /// Sets the target of a spec, unless it would be one more than `targets_max`.
    async fn set_target(&self, wish: Wish, targets_max: u32) -> Result<TargetSet, StoreError>;

    /// All targets, by id.
    async fn targets(&self) -> Result<Vec<StockTarget>, StoreError>;

    /// Deletes a target and returns it; its job goes on. None if there is no such target.
    async fn delete_target(&self, id: TargetId) -> Result<Option<StockTarget>, StoreError>;

    /// Sets the targets that the configuration file declares, and deletes those that it no longer does.
    async fn declare_targets(&self, wishes: &[Wish]) -> Result<(), StoreError>;

    /// What came of all tries at these specs ([`Spec::words`](puzzled_engine::spec::Spec::words)) under this version of the
    /// engine; those never tried are left out.
    async fn rates(&self, specs: &[String]) -> Result<Vec<Rate>, StoreError>;
}

#[async_trait]
impl<D: Database> TargetStore for D {
    async fn set_target(&self, wish: Wish, targets_max: u32) -> Result<TargetSet, StoreError> {
        self.repeated(|| async {
            let mut write = self.write("set_target.begin").await?;
            write.lock("set_target.lock", Lock::Targets).await?;
            let spec = wish.spec.words();
            let count =
                "select count(*) as number, coalesce(sum(case when spec <> $1 then 1 end), 0) as others from targets";
            let (targets, others) = write.one("set_target.count", count, values![&spec], number_and_others).await?;
            if others >= u64::from(targets_max) {
                let targets = u32::try_from(targets).expect("a u32 bounds the targets");
                return write.undone(TargetSet::TooMany { targets }).await;
            }
            let target = put_target(&mut write, &wish, false).await?;
            write.commit("set_target.commit", "set_target.committed").await?;
            Ok(TargetSet::Set(target))
        })
        .await
    }

    async fn targets(&self) -> Result<Vec<StockTarget>, StoreError> {
        self.all("select * from targets order by id", &[], rows::target).await
    }

    async fn delete_target(&self, id: TargetId) -> Result<Option<StockTarget>, StoreError> {
        self.repeated(|| async {
            let mut write = self.write("delete_target.begin").await?;
            write.lock("delete_target.lock", Lock::Targets).await?;
            let sql = "delete from targets where id = $1 returning *";
            let gone = write.optional("delete_target.delete", sql, values![id.0], rows::target).await?;
            write.commit("delete_target.commit", "delete_target.committed").await?;
            Ok(gone)
        })
        .await
    }

    async fn declare_targets(&self, wishes: &[Wish]) -> Result<(), StoreError> {
        let specs: Vec<_> = wishes.iter().map(|wish| wish.spec.words()).collect();
        self.repeated(|| async {
            let mut write = self.write("declare_targets.begin").await?;
            // Servers that start at once declare the same targets.
            write.lock("declare_targets.lock", Lock::Targets).await?;
            let sql = Sql {
                sqlite: "delete from targets where declared = 1 and spec not in (select value from json_each($1))",
                postgres: "delete from targets where declared and spec <> all($1)",
            };
            let specs: Vec<_> = specs.iter().map(String::as_str).collect();
            write.execute("declare_targets.delete", sql, values![specs]).await?;
            for wish in wishes {
                put_target(&mut write, wish, true).await?;
            }
            write.commit("declare_targets.commit", "declare_targets.committed").await
        })
        .await
    }

    async fn rates(&self, specs: &[String]) -> Result<Vec<Rate>, StoreError> {
        // The spec is the key; the row's id, by which a broken value is named, is 0 for all.
        let sql = Sql {
            sqlite: "select 0 as id, spec, tries, hits, work_ms from rates
                     where engine_version = $1 and spec in (select value from json_each($2))",
            postgres: "select 0::bigint as id, spec, tries, hits, work_ms from rates
                       where engine_version = $1 and spec = any($2)",
        };
        let specs: Vec<_> = specs.iter().map(String::as_str).collect();
        self.all(sql, values![ENGINE_VERSION, specs], rows::rate).await
    }
}

fn number_and_others(row: &impl Columns) -> Result<(u64, u64), StoreError> {
    let others = row.integer("others")?.unwrap_or(0);
    Ok((number(row)?, u64::try_from(others).expect("a count is not negative")))
}

async fn put_target<W: Write>(write: &mut W, wish: &Wish, is_declared: bool) -> Result<StockTarget, StoreError> {
    let (level, range) = target_columns(wish.spec.target);
    let schedule = wish.schedule.as_ref();
    let sql = "insert into targets (spec, kind, variant, symmetry, level, rating_min, rating_max, low_water, target,
                                    priority, cron, time_zone, window_minutes, declared, created_at, updated_at, no_extras)
               values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16)
               on conflict (spec) do update
               set low_water = excluded.low_water, target = excluded.target, priority = excluded.priority,
                   cron = excluded.cron, time_zone = excluded.time_zone, window_minutes = excluded.window_minutes,
                   no_extras = excluded.no_extras, declared = excluded.declared, updated_at = excluded.updated_at
               returning *";
    let spec = wish.spec.words();
    let values = values![
        &spec,
        &wish.spec.kind,
        &wish.spec.variant,
        wish.spec.symmetry.name(),
        level,
        range.map(|(min, _)| min),
        range.map(|(_, max)| max),
        wish.low_water,
        wish.target,
        wish.priority,
        schedule.map(|schedule| &schedule.cron),
        schedule.map(|schedule| &schedule.time_zone),
        schedule.map(|schedule| schedule.window_minutes),
        is_declared,
        write.now(),
        wish.no_extras,
    ];
    write.one("set_target.upsert", sql, values, rows::target).await
}

/// A target's columns: the word of its level, or both ends of its range.
pub(super) fn target_columns(target: Target) -> (Option<&'static str>, Option<(i16, i16)>) {
    match target {
        Target::Any => (None, None),
        Target::Level(level) => (Some(level.name()), None),
        Target::Range { min, max } => (None, Some((i16::from(min.0), i16::from(max.0)))),
    }
}
