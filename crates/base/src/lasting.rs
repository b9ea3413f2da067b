//! Counts how often a lasting condition is met, such as failed reads of the database or a reached limit. The log gets one line when the
//! condition begins, and one with the count when it ends.

/// How often a condition was met since it began.
#[derive(Debug, Default)]
pub struct Lasting {
    count: u64,
}

impl Lasting {
    /// Counts one more occurrence. Returns whether it is the first, which is logged.
    pub const fn met(&mut self) -> bool {
        self.count += 1;
        self.count == 1
    }

    /// Whether the condition has begun and not ended.
    #[must_use]
    pub const fn lasts(&self) -> bool {
        self.count > 0
    }

    /// Ends the condition. Returns the number of occurrences, which is logged; `None` if there were none.
    pub const fn end(&mut self) -> Option<u64> {
        let count = std::mem::replace(&mut self.count, 0);
        if count > 0 { Some(count) } else { None }
    }
}

/// The value of a result, if it is a success. Logs the first of consecutive failures and the success that ends them. This
/// is a macro, so that the target of the lines is the caller's module.
#[macro_export]
macro_rules! log_lasting {
    ($lasting:expr, $result:expr, begins: $begins:literal, ends: $ends:literal $(, $field:ident = $value:expr)*) => {
        match $result {
            Ok(value) => {
                if let Some(failures) = $lasting.end() {
                    tracing::info!($($field = $value,)* failures, $ends);
                }
                Some(value)
            }
            Err(error) => {
                if $lasting.met() {
                    tracing::warn!($($field = $value,)* %error, $begins);
                }
                None
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_occurrence_and_the_end_are_logged() {
        let mut condition = Lasting::default();
        assert_eq!(condition.end(), None);
        assert_eq!([condition.met(), condition.met(), condition.met()], [true, false, false]);
        assert!(condition.lasts());
        assert_eq!([condition.end(), condition.end()], [Some(3), None]);
        assert!(!condition.lasts() && condition.met(), "it begins anew");
    }
}
