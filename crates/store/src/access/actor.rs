//! Rule: the actor of a change, for the audit trail: who makes the change, from where, and with which call. Also decides
//! which jobs an actor may cancel and retry.

use std::sync::Arc;

use crate::access::principal::{Principal, Quotas, Role};

/// Name of the actor that declares the stock targets of a configuration.
pub(crate) const CONFIGURATION: &str = "configuration";

/// Who makes a change. The audit trail stores all fields except the quotas and the span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// The name of the principal, `CONFIGURATION`, or `cli:` and the name of the user.
    pub name: Arc<str>,
    /// The role of the principal; `None` for a configuration or a command.
    pub role: Option<Role>,
    /// The address and port of the client, or the name of the machine. Empty for calls within the process.
    pub address: String,
    /// The method, such as `CancelJob`, or the name of the command. Empty for a configuration.
    pub method: String,
    /// The ID of the call. Empty for a configuration or a command.
    pub call_id: Arc<str>,
    /// The quotas of the principal.
    pub quotas: Quotas,
    /// The span of the call, in the format of the header `traceparent`; `None` without a trace.
    pub traceparent: Option<Arc<str>>,
}

impl Actor {
    /// A principal that calls a method.
    #[must_use]
    pub fn of_call(principal: &Principal, address: String, method: &str, call_id: Arc<str>) -> Self {
        Self {
            name: Arc::clone(&principal.name),
            role: Some(principal.role),
            address,
            method: method.to_owned(),
            call_id,
            quotas: principal.quotas,
            traceparent: None,
        }
    }

    /// Returns the same actor, in a span.
    #[must_use]
    pub fn within(self, traceparent: Option<Arc<str>>) -> Self {
        Self { traceparent, ..self }
    }

    /// A process on a machine that declares the stock targets of its configuration.
    #[must_use]
    pub fn configuration(host: &str) -> Self {
        Self::without_call(CONFIGURATION.into(), host, "")
    }

    /// A user who runs a command on a database.
    #[must_use]
    pub fn command(user: &str, host: &str, command: &str) -> Self {
        Self::without_call(format!("cli:{user}").into(), host, command)
    }

    fn without_call(name: Arc<str>, host: &str, method: &str) -> Self {
        let (address, method) = (host.to_owned(), method.to_owned());
        let (call_id, quotas) = ("".into(), Quotas::default());
        Self { name, role: None, address, method, call_id, quotas, traceparent: None }
    }

    /// Whether the actor may cancel and retry a job that this principal queued. A maker may change only its own jobs.
    #[must_use]
    pub(crate) fn may_change_job_of(&self, principal: Option<&str>) -> bool {
        self.role.is_none_or(|role| role >= Role::Ops) || principal == Some(&*self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makers_change_only_their_own_jobs() {
        let actor = |role| {
            let principal = Principal { name: "night".into(), role, ..Principal::anonymous() };
            Actor::of_call(&principal, String::new(), "CancelJob", "1".into())
        };
        for (role, others) in [(Role::Maker, false), (Role::Ops, true), (Role::Admin, true)] {
            assert!(actor(role).may_change_job_of(Some("night")));
            assert_eq!(actor(role).may_change_job_of(Some("day")), others, "{role:?}");
            assert_eq!(actor(role).may_change_job_of(None), others, "{role:?}");
        }
        assert!(Actor::command("root", "db-1", "rerate").may_change_job_of(Some("night")));
    }
}
