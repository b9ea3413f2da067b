//! Records whether a process is ready: whether its database answers, and whether it is shutting down. `/readyz` shows
//! both checks, and gRPC health follows them.

use std::fmt::Write as _;

use crate::base::live::Live;

/// The readiness of a process, as its parts report it.
#[derive(Debug)]
pub struct Readiness {
    database: Live<Result<(), String>>,
    running: Live<Result<(), String>>,
}

/// The readiness at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ready {
    /// Whether all checks are ok.
    pub is_ready: bool,
    /// One line for each check: `[+] database: ok`, or `[-] database: ` with the reason.
    pub checks: String,
}

impl Default for Readiness {
    fn default() -> Self {
        let opening = "the database is not open yet; migrations run, or wait for a lock".to_owned();
        Self { database: Live::new(Err(opening)), running: Live::new(Ok(())) }
    }
}

impl Readiness {
    /// Sets whether the database answers, or why it does not.
    pub fn set_database(&self, answers: Result<(), String>) {
        self.database.set(answers);
    }

    /// Marks the process as shutting down: it is no longer ready.
    pub fn end(&self) {
        self.running.set(Err("the process is shutting down".to_owned()));
    }

    /// Whether the database answers.
    #[must_use]
    pub fn has_database(&self) -> bool {
        self.database.get().is_ok()
    }

    /// The current results of all checks.
    #[must_use]
    pub fn now(&self) -> Ready {
        let checks = [("database", self.database.get()), ("running", self.running.get())];
        let mut ready = Ready { is_ready: true, checks: String::new() };
        for (name, check) in checks {
            ready.is_ready &= check.is_ok();
            let (sign, words) = match &*check {
                Ok(()) => ('+', "ok"),
                Err(reason) => ('-', reason.as_str()),
            };
            // Writing to a string does not fail.
            let _ = writeln!(ready.checks, "[{sign}] {name}: {words}");
        }
        ready
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn process_is_ready_if_each_check_is_and_else_says_why_not() {
        let readiness = Readiness::default();
        assert!(readiness.now().checks.starts_with("[-] database: the database is not open yet"));
        readiness.set_database(Ok(()));
        assert_eq!(readiness.now(), Ready { is_ready: true, checks: "[+] database: ok\n[+] running: ok\n".to_owned() });
        readiness.set_database(Err("no answer within 1s".to_owned()));
        readiness.end();
        let checks = "[-] database: no answer within 1s\n[-] running: the process is shutting down\n".to_owned();
        assert_eq!(readiness.now(), Ready { is_ready: false, checks });
    }
}
