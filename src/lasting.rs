//! Counts the consecutive failures of an action, such as reading the database, so that the log gets one line at the
//! first failure and one at the next success.

/// Counts consecutive failures of one action.
#[derive(Debug, Default)]
pub struct Lasting {
    failures: u64,
}

impl Lasting {
    /// Records a failure. Returns whether it is the first in a row, which the caller logs.
    pub const fn failed(&mut self) -> bool {
        self.failures += 1;
        self.failures == 1
    }

    /// Records a success. Returns the number of failures before it, which the caller logs; `None` if there were none.
    pub const fn succeeded(&mut self) -> Option<u64> {
        let failures = std::mem::replace(&mut self.failures, 0);
        if failures > 0 { Some(failures) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_failure_and_the_first_success_are_logged() {
        let mut condition = Lasting::default();
        assert_eq!(condition.succeeded(), None);
        assert_eq!([condition.failed(), condition.failed(), condition.failed()], [true, false, false]);
        assert_eq!([condition.succeeded(), condition.succeeded()], [Some(3), None]);
        assert!(condition.failed());
    }
}
