//! Creates, updates, lists, and deletes stock targets, declares those of a configuration, and reads making rates.

use async_trait::async_trait;

use crate::{
    StoreError,
    access::{
        actor::Actor,
        audit_entry::{NewEntry, of_target},
        audit_store,
    },
    error::must_touch,
    jobs::{
        job::JobState,
        job_store::{Ending, end_job},
        process_store::older_process,
    },
    sql::{
        database::{self, Database, Lock, Write, id, number},
        rows, spec_columns,
        statement::values,
        statements::target,
    },
    targets::{
        change::Change,
        declaration::{Act, Clash, Declaration, Declared, Step},
        restyle::RESTYLED,
        target::{MakingRate, StockTarget, TargetCreated, TargetUpdated, Wish},
    },
};
use puzzled_base::ids::{JobId, TargetId};
use puzzled_engine::ENGINE_VERSION;

/// Stock targets.
#[async_trait]
pub trait TargetStore {
    /// Creates the target of a spec, unless the spec has a target or there are already `targets_max` targets.
    async fn create_target(&self, wish: &Wish, targets_max: u32, by: &Actor) -> Result<TargetCreated, StoreError>;

    /// Changes a target that no configuration declares. Writes nothing if the change makes no difference.
    async fn update_target(&self, id: TargetId, change: &Change, by: &Actor) -> Result<TargetUpdated, StoreError>;

    /// Returns all targets, by id.
    async fn targets(&self) -> Result<Vec<StockTarget>, StoreError>;

    /// Returns up to `limit` targets with ids above `after`, by id.
    async fn target_page(&self, after: Option<TargetId>, limit: u32) -> Result<Vec<StockTarget>, StoreError>;

    /// Deletes a target and returns it. Its job continues. Returns `None` if there is no such target.
    async fn delete_target(&self, id: TargetId, by: &Actor) -> Result<Option<StockTarget>, StoreError>;

    /// Changes the targets of a configuration to match its declaration, and returns the targets that changed. Processes
    /// declare one after the other, so each sees the changes of the previous one.
    async fn declare_targets(
        &self,
        declaration: &Declaration,
        targets_max: u32,
        by: &Actor,
    ) -> Result<Result<Vec<Declared>, Clash>, StoreError>;

    /// Returns the making rates of these specs ([`Spec::words`](puzzled_engine::shared::spec::Spec::words)) under this engine
    /// version. Leaves out specs without tries.
    async fn rates(&self, specs: &[String]) -> Result<Vec<MakingRate>, StoreError>;
}

#[async_trait]
impl<D: Database> TargetStore for D {
    async fn create_target(&self, wish: &Wish, targets_max: u32, by: &Actor) -> Result<TargetCreated, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("create_target.begin").await?;
            write.lock("create_target.lock", Lock::Targets).await?;
            if let Some(known) =
                write.optional("create_target.find", target::OF_SPEC, values![&wish.spec.words()], id).await?
            {
                return write.roll_back(TargetCreated::Exists(TargetId(known))).await;
            }
            let targets = write.one("create_target.count", target::COUNT, &[], number).await?;
            if targets >= u64::from(targets_max) {
                let targets = u32::try_from(targets).expect("a u32 bounds the targets");
                return write.roll_back(TargetCreated::TooMany { targets }).await;
            }
            let target = insert_target(&mut write, "create_target.insert", wish, None).await?;
            audit_store::insert(&mut write, "create_target.audit", &[entry(by, None, Some(&target))]).await?;
            write.commit("create_target.commit", "create_target.committed").await?;
            Ok(TargetCreated::Created(target))
        })
        .await
    }

    async fn update_target(&self, id: TargetId, change: &Change, by: &Actor) -> Result<TargetUpdated, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("update_target.begin").await?;
            write.lock("update_target.lock", Lock::Targets).await?;
            let Some(target) = write.optional("update_target.find", target::BY_ID, values![id.0], rows::target).await?
            else {
                return write.roll_back(TargetUpdated::NoTarget).await;
            };
            let wish = match change.applied(&target, write.now()) {
                Err(refusal) => return write.roll_back(TargetUpdated::Refused(refusal)).await,
                Ok(wish) if wish == target.wish => return write.roll_back(TargetUpdated::Updated(target)).await,
                Ok(wish) => wish,
            };
            let updated = put_target(&mut write, "update_target.update", id, &wish, None).await?;
            audit_store::insert(&mut write, "update_target.audit", &[entry(by, Some(&target), Some(&updated))]).await?;
            write.commit("update_target.commit", "update_target.committed").await?;
            Ok(TargetUpdated::Updated(updated))
        })
        .await
    }

    async fn targets(&self) -> Result<Vec<StockTarget>, StoreError> {
        self.all(target::LIST, &[], rows::target).await
    }

    async fn target_page(&self, after: Option<TargetId>, limit: u32) -> Result<Vec<StockTarget>, StoreError> {
        self.all(target::PAGE, values![after.map_or(0, |id| id.0), limit], rows::target).await
    }

    async fn delete_target(&self, id: TargetId, by: &Actor) -> Result<Option<StockTarget>, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("delete_target.begin").await?;
            write.lock("delete_target.lock", Lock::Targets).await?;
            let Some(gone) =
                write.optional("delete_target.delete", target::DELETE_RETURNING, values![id.0], rows::target).await?
            else {
                return write.roll_back(None).await;
            };
            audit_store::insert(&mut write, "delete_target.audit", &[entry(by, Some(&gone), None)]).await?;
            write.commit("delete_target.commit", "delete_target.committed").await?;
            Ok(Some(gone))
        })
        .await
    }

    async fn declare_targets(
        &self,
        declaration: &Declaration,
        targets_max: u32,
        by: &Actor,
    ) -> Result<Result<Vec<Declared>, Clash>, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("declare_targets.begin").await?;
            write.lock("declare_targets.lock", Lock::Targets).await?;
            let known = write.all("declare_targets.read", target::LIST, &[], rows::target).await?;
            let has_older = older_process(&mut write, env!("CARGO_PKG_VERSION")).await?.is_some();
            let steps = match declaration.target_steps(&known, targets_max, has_older) {
                Err(clash) => return write.roll_back(Err(clash)).await,
                Ok(steps) if steps.is_empty() => return write.roll_back(Ok(Vec::new())).await,
                Ok(steps) => steps,
            };
            let mut declared = Vec::with_capacity(steps.len());
            for step in steps {
                declared.push(take_step(&mut write, step, declaration.name()).await?);
            }
            let changed: Vec<_> = declared.iter().filter(|declared| declared.act != Act::Kept).collect();
            if changed.is_empty() {
                return write.roll_back(Ok(declared)).await;
            }
            let entries: Vec<_> = changed.into_iter().map(|declared| declared_entry(by, declared, &known)).collect();
            audit_store::insert(&mut write, "declare_targets.audit", &entries).await?;
            write.commit("declare_targets.commit", "declare_targets.committed").await?;
            Ok(Ok(declared))
        })
        .await
    }

    async fn rates(&self, specs: &[String]) -> Result<Vec<MakingRate>, StoreError> {
        let specs: Vec<_> = specs.iter().map(String::as_str).collect();
        self.all(target::RATES, values![ENGINE_VERSION, specs], rows::rate).await
    }
}

/// The audit entry of a change to a target.
fn entry<'a>(by: &'a Actor, before: Option<&StockTarget>, after: Option<&StockTarget>) -> NewEntry<'a> {
    let subjects = after.or(before).map(|target| target.id.to_string()).into_iter().collect();
    NewEntry::of(by, subjects, of_target(before, after))
}

/// The audit entry of a declared change. Its method is that of the call that makes the same change.
fn declared_entry<'a>(by: &'a Actor, Declared { act, of: target }: &Declared, known: &[StockTarget]) -> NewEntry<'a> {
    let before = known.iter().find(|known| known.id == target.id);
    let (method, after) = match act {
        Act::Added => ("CreateStockTarget", Some(target)),
        Act::Changed | Act::Declared | Act::Kept => ("UpdateStockTarget", Some(target)),
        Act::Removed => ("DeleteStockTarget", None),
    };
    NewEntry { method, ..entry(by, before, after) }
}

async fn take_step<W: Write>(write: &mut W, step: Step<'_, Wish>, name: &str) -> Result<Declared, StoreError> {
    let (act, target) = match step {
        Step::Add(wish) => (Act::Added, insert_target(write, "declare_targets.insert", wish, Some(name)).await?),
        Step::Put(Act::Kept, target, _) => (Act::Kept, target.clone()),
        Step::Put(act, target, wish) => {
            if target.wish.spec != wish.spec {
                end_refills(write, target.id).await?;
            }
            (act, put_target(write, "declare_targets.update", target.id, wish, Some(name)).await?)
        }
        Step::Remove(target) => {
            let deleted = write.execute("declare_targets.delete", target::DELETE, values![target.id.0]).await?;
            must_touch("the removal of a stock target", 1, deleted)?;
            (Act::Removed, target.clone())
        }
    };
    Ok(Declared { act, of: target })
}

/// Ends the open refill of a target whose spec changes. Its jobs, which made other puzzles, no longer belong to it.
async fn end_refills<W: Write>(write: &mut W, id: TargetId) -> Result<(), StoreError> {
    for job in write.all("declare_targets.find_open", target::LOCK_REFILLS, values![id.0], database::id).await? {
        let ended = Ending::new(JobState::Ended, Some(RESTYLED));
        end_job(write, "declare_targets.end_job", JobId(job), ended).await?;
    }
    write.execute("declare_targets.part", target::PART_JOBS, values![id.0]).await?;
    Ok(())
}

async fn insert_target<W: Write>(
    write: &mut W,
    point: &'static str,
    wish: &Wish,
    declared_by: Option<&str>,
) -> Result<StockTarget, StoreError> {
    let (level, range) = spec_columns::difficulty(wish.spec.difficulty);
    let (spec, schedule) = (wish.spec.words(), wish.schedule.as_ref());
    let values = values![
        &spec,
        &wish.spec.kind,
        &wish.spec.variant,
        wish.spec.symmetry.name(),
        level,
        range.map(|(min, _)| min),
        range.map(|(_, max)| max),
        wish.low_water,
        wish.count,
        wish.priority,
        schedule.map(|schedule| &schedule.cron),
        schedule.map(|schedule| &schedule.time_zone),
        schedule.map(|schedule| schedule.window_minutes),
        declared_by,
        write.now(),
        wish.spec.technique.as_ref(),
        wish.spec.givens.map(|givens| u32::from(givens.min)),
        wish.spec.givens.map(|givens| u32::from(givens.max)),
    ];
    write.one(point, target::INSERT, values, rows::target).await
}

/// Sets all fields of a target from a wish. Of its spec, only the symmetry may differ.
async fn put_target<W: Write>(
    write: &mut W,
    point: &'static str,
    id: TargetId,
    wish: &Wish,
    declared_by: Option<&str>,
) -> Result<StockTarget, StoreError> {
    let (spec, schedule) = (wish.spec.words(), wish.schedule.as_ref());
    let values = values![
        wish.low_water,
        wish.count,
        wish.priority,
        schedule.map(|schedule| &schedule.cron),
        schedule.map(|schedule| &schedule.time_zone),
        schedule.map(|schedule| schedule.window_minutes),
        declared_by,
        write.now(),
        &spec,
        wish.spec.symmetry.name(),
        id.0,
    ];
    write.one(point, target::UPDATE, values, rows::target).await
}
