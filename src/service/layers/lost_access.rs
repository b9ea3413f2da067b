//! Waits until the caller of an open stream loses its access, or a role or right that it had.

use std::{sync::Arc, time::Duration};

use crate::{
    access::{Caller, Gate},
    service::errors::{ServiceError, access_error::AccessError},
};

/// Time between two checks of a caller's access. The check repeats because tokens expire by the wall clock, which may
/// jump.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Waits until a caller loses its access, or a role or right that it had.
pub(in crate::service) async fn lost_access(gate: Arc<Gate>, caller: Arc<Caller>) -> ServiceError {
    // Subscribe before the first check. Otherwise a change in between would be missed.
    let mut changes = gate.changes();
    let before = &caller.principal;
    loop {
        match gate.identify_again(&caller) {
            Err(error) => return AccessError::from(error).into(),
            Ok(now) if now.principal.role < before.role || before.sees_solutions && !now.principal.sees_solutions => {
                let error = AccessError::Changed(Arc::clone(&before.name));
                return error.into();
            }
            // Wait for a change or the next check. An expired timeout is not a failure.
            Ok(_) => drop(tokio::time::timeout(LOOK_EVERY, changes.changed()).await),
        }
    }
}
