//! The pages of lists: their size, and their tokens. A token has the last ID of a page and a check value. The check value
//! covers the ID, the list, and the criteria, so a token of another list or of other criteria is refused. It need not be secret, because a token contains only data of the list.

use prost::Message;

use super::Parser;
use crate::settings::Limits;
use puzzled_engine::shared::names::quoted;

/// Digits of each of the two hexadecimal numbers in a token.
const DIGITS: usize = 16;

/// A page of a list.
#[derive(Debug)]
pub(crate) struct Page<Criteria> {
    /// The name of the list. Page tokens are bound to it and to the criteria.
    list: &'static str,
    /// The request without its page size and token, and without fields that do not affect which entries are listed.
    criteria: Criteria,
    size: u32,
    /// The last ID of the previous page; `None` on the first page.
    pub(crate) after: Option<i64>,
}

impl<Criteria: Message> Page<Criteria> {
    /// The same page with at most this many entries.
    pub(crate) fn at_most(self, size_max: u32) -> Self {
        Self { size: self.size.min(size_max), ..self }
    }

    /// The number of entries to read: one more than the page has, to find out whether there is a next page.
    pub(crate) fn reads(&self) -> u32 {
        self.size + 1
    }

    /// Splits the entries that were read into the page and the token of the next page.
    pub(crate) fn cut<T>(&self, mut read: Vec<T>, id: impl Fn(&T) -> i64) -> (Vec<T>, String) {
        let has_next = read.len() > self.size as usize;
        read.truncate(self.size as usize);
        let last = read.last().filter(|_| has_next);
        let token = last.map(|last| write(self.list, &self.criteria, id(last)));
        (read, token.unwrap_or_default())
    }
}

impl Parser {
    /// The page of a list that a request asks for with this size and token.
    pub(crate) fn page<C: Message>(
        &mut self,
        list: &'static str,
        criteria: C,
        (size, token): (i32, &str),
        limits: &Limits,
    ) -> Page<C> {
        let size = self.page_size(size, limits);
        let after = read(list, &criteria, token);
        if after.is_none() && !token.is_empty() {
            let why = "is not a token of this list and these criteria; use the last next_page_token";
            self.refuse("page_token", format!("{} {why}", quoted(token)));
        }
        Page { list, criteria, size, after }
    }

    /// The number of entries on a page: the requested number, but at most `max_page_size`.
    fn page_size(&mut self, value: i32, limits: &Limits) -> u32 {
        match u32::try_from(value) {
            Ok(0) => limits.default_page_size.min(limits.max_page_size),
            Ok(size) => size.min(limits.max_page_size),
            Err(_) => {
                self.refuse(
                    "page_size",
                    format!("{value} is below 0; use 0 for the default, or 1 to {}", limits.max_page_size),
                );
                0
            }
        }
    }
}

/// Writes the token of the page after `last_id`. `criteria` is the request without its page size and token.
fn write(list: &str, criteria: &impl Message, last_id: i64) -> String {
    let id = last_id.cast_unsigned();
    format!("{id:0DIGITS$x}{:0DIGITS$x}", check_value(list, criteria, id))
}

/// The ID in a token. `None` if the token was altered, or belongs to another list or other criteria.
fn read(list: &str, criteria: &impl Message, token: &str) -> Option<i64> {
    let (id, _) = token.split_at_checked(DIGITS)?;
    let last_id = u64::from_str_radix(id, 16).ok()?.cast_signed();
    // Only the exact spelling is accepted.
    (write(list, criteria, last_id) == token).then_some(last_id)
}

/// FNV-1a, followed by the 64-bit finalizer of splitmix64, so that each bit of the input affects each bit of the value.
fn check_value(list: &str, criteria: &impl Message, id: u64) -> u64 {
    let criteria = criteria.encode_to_vec();
    let bytes = list.bytes().chain([0]).chain(id.to_le_bytes()).chain(criteria);
    let mut hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_api::v1::ListPuzzlesRequest;

    fn easy() -> ListPuzzlesRequest {
        ListPuzzlesRequest { kind: 1, level: 1, ..ListPuzzlesRequest::default() }
    }

    #[test]
    fn token_contains_the_id_that_it_was_written_for() {
        for id in [1, 42, i64::MAX] {
            let token = write("puzzles", &easy(), id);
            assert_eq!(read("puzzles", &easy(), &token), Some(id), "{token}");
        }
    }

    #[test]
    fn token_of_another_list_or_other_criteria_is_refused() {
        let token = write("puzzles", &easy(), 42);
        assert_eq!(read("jobs", &easy(), &token), None);
        assert_eq!(read("puzzles", &ListPuzzlesRequest { level: 2, ..easy() }, &token), None);
        assert_eq!(read("puzzles", &ListPuzzlesRequest::default(), &token), None);
    }

    #[test]
    fn token_with_one_changed_character_is_refused() {
        let token = write("puzzles", &easy(), 42);
        for at in 0..token.len() {
            for other in "0123456789abcdefABCDEF+ é".chars().filter(|&other| !token[at..].starts_with(other)) {
                let altered = format!("{}{other}{}", &token[..at], &token[at + 1..]);
                assert_eq!(read("puzzles", &easy(), &altered), None, "{altered}");
            }
        }
    }

    #[test]
    fn text_that_is_not_a_token_is_refused() {
        let token = write("puzzles", &easy(), 42);
        let cut = &token[..token.len() - 1];
        for text in ["", "2", "garbage", "ÄÖÜ", "0000000é00000000", cut, &format!("{token}0"), &format!(" {token}")]
        {
            assert_eq!(read("puzzles", &easy(), text), None, "{text:?}");
        }
    }
}
