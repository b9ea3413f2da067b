//! Page tokens: the last ID of a page, with a check value over the list and its criteria. The check value detects
//! tokens of another list or of other criteria. It need not be secret, because a token contains only data of the list.

use prost::Message;

/// Digits of each of the two hexadecimal numbers in a token.
const DIGITS: usize = 16;

/// Writes the token of the page after `last_id`. `criteria` is the request without its page size and token.
pub(super) fn write(list: &str, criteria: &impl Message, last_id: i64) -> String {
    let id = last_id.cast_unsigned();
    format!("{id:0DIGITS$x}{:0DIGITS$x}", check_value(list, criteria, id))
}

/// The ID in a token. `None` if the token was altered, or belongs to another list or other criteria.
pub(super) fn read(list: &str, criteria: &impl Message, token: &str) -> Option<i64> {
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
