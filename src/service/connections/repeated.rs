//! Counts how often a condition repeats, such as a reached limit, so that the log gets one line when it begins and one
//! when it ends. Also decides when a limit has room again.

/// How often a condition was met since it began.
#[derive(Debug, Default)]
pub(super) struct Repeated {
    count: u64,
}

impl Repeated {
    /// Counts one more occurrence, and returns whether it is the first.
    pub(super) fn met(&mut self) -> bool {
        self.count += 1;
        self.count == 1
    }

    /// Whether it has begun and not ended.
    pub(super) fn lasts(&self) -> bool {
        self.count > 0
    }

    /// Ends the condition, and returns the number of occurrences if there was one.
    pub(super) fn end(&mut self) -> Option<u64> {
        Some(std::mem::take(&mut self.count)).filter(|&count| count > 0)
    }
}

/// Whether so few places are taken that a limit counts as no longer reached: fewer than nine of ten. Otherwise each
/// connection that leaves and returns at the limit would log two lines.
pub(super) fn eased(taken: u32, max: u32) -> bool {
    u64::from(taken) * 10 < u64::from(max) * 9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn condition_begins_once_and_ends_with_its_count() {
        let mut full = Repeated::default();
        assert_eq!(full.end(), None);
        assert_eq!([full.met(), full.met(), full.met()], [true, false, false]);
        assert!(full.lasts());
        assert_eq!(full.end(), Some(3));
        assert!(!full.lasts());
        assert!(full.met(), "it begins anew");
    }

    #[test]
    fn bound_is_eased_below_nine_tenths_of_it() {
        for (max, last) in [(1, 0), (4, 3), (10, 8), (512, 460), (1_024, 921)] {
            assert!(eased(last, max) && !eased(last + 1, max), "{max}");
        }
    }
}
