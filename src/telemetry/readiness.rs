//! Records whether a process is ready: whether its database answers, whether it can be written, and whether the process is shutting down.
//! `/readyz` shows these checks, and gRPC health follows them. A process whose database can only be read is ready, because a shared
//! database would otherwise take every server out of a load balancer.

use std::fmt::Write as _;

use puzzled_base::live::Live;

/// The readiness of a process, as its parts report it.
#[derive(Debug)]
pub struct Readiness {
    database: Live<Result<(), String>>,
    writes: Live<Result<(), String>>,
    running: Live<Result<(), String>>,
}

/// The readiness at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ready {
    /// Whether the process is ready for calls that read, or for work.
    pub is_ready: bool,
    /// Whether it is ready for calls that write too.
    pub writes: bool,
    /// One line for each check: `[+] database: ok`, or `[-] database: ` with the reason.
    pub checks: String,
}

impl Default for Readiness {
    fn default() -> Self {
        let opening = "the database is not open yet; migrations run, or wait for a lock".to_owned();
        Self { database: Live::new(Err(opening)), writes: Live::new(Ok(())), running: Live::new(Ok(())) }
    }
}

impl Readiness {
    /// Sets whether the database answers, or why it does not.
    pub fn set_database(&self, answers: Result<(), String>) {
        self.database.set(answers);
    }

    /// Sets whether the database can be written, or why not.
    pub fn set_writes(&self, possible: Result<(), String>) {
        self.writes.set(possible);
    }

    /// Whether the database can be written, as far as is known.
    #[must_use]
    pub fn can_write(&self) -> bool {
        self.writes.get().is_ok()
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
        let checks =
            [("database", self.database.get()), ("running", self.running.get()), ("writes", self.writes.get())];
        let is_ready = checks[..2].iter().all(|(_, check)| check.is_ok());
        let mut ready = Ready { is_ready, writes: is_ready && checks[2].1.is_ok(), checks: String::new() };
        for (name, check) in checks {
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
        let checks = "[+] database: ok\n[+] running: ok\n[+] writes: ok\n".to_owned();
        assert_eq!(readiness.now(), Ready { is_ready: true, writes: true, checks });
        readiness.set_writes(Err("read-only".to_owned()));
        let checks = "[+] database: ok\n[+] running: ok\n[-] writes: read-only\n".to_owned();
        assert_eq!(readiness.now(), Ready { is_ready: true, writes: false, checks });
        readiness.set_writes(Ok(()));
        readiness.set_database(Err("no answer within 1s".to_owned()));
        readiness.end();
        let checks = "[-] database: no answer within 1s\n[-] running: the process is shutting down\n[+] writes: ok\n";
        assert_eq!(readiness.now(), Ready { is_ready: false, writes: false, checks: checks.to_owned() });
    }
}
