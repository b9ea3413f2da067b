//! Writes, recognizes, and hashes access tokens, `pzd_<id>_<secret>`. The access file contains only their digests, so
//! reading the file gives nobody access.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// The prefix of each token, by which secret scanners recognize it.
const PREFIX: &str = "pzd_";

/// The maximum number of characters in an ID.
const ID_LEN_MAX: usize = 32;

/// Bytes of a secret: 256 bits.
pub const SECRET_BYTES: usize = 32;

/// SHA-256 of a whole token.
pub type TokenDigest = [u8; 32];

/// A token with this ID and secret.
#[must_use]
pub fn text(id: &str, secret: &[u8; SECRET_BYTES]) -> String {
    format!("{PREFIX}{id}_{}", hex(secret))
}

/// The digest of a whole token. A fast hash is enough, because nobody can try 2^256 secrets.
#[must_use]
pub fn digest(token: &str) -> TokenDigest {
    Sha256::digest(token).into()
}

/// The ID of a token; `None` if the text does not have the form of a token.
#[must_use]
pub fn id_of(token: &str) -> Option<&str> {
    let (id, secret) = token.strip_prefix(PREFIX)?.split_once('_')?;
    let is_secret = secret.len() == 2 * SECRET_BYTES && secret.bytes().all(is_hex);
    (is_secret && is_id(id)).then_some(id)
}

/// Whether a text can be the ID of a token: 1 to 32 lower-case letters, digits, and `-`.
#[must_use]
pub fn is_id(id: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=ID_LEN_MAX).contains(&id.len()) && id.bytes().all(allowed)
}

/// Bytes as lower-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The digest that 64 lower-case hexadecimal digits spell; `None` for any other text.
pub(super) fn digest_of_hex(hex: &str) -> Option<TokenDigest> {
    if hex.len() != 64 || !hex.bytes().all(is_hex) {
        return None;
    }
    let mut digest = [0; 32];
    for (byte, pair) in digest.iter_mut().zip(hex.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(digest)
}

fn is_hex(byte: u8) -> bool {
    byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_is_found_in_a_token_and_in_no_other_text() {
        let token = text("ci-1", &[0xab; 32]);
        assert_eq!(token, format!("pzd_ci-1_{}", "ab".repeat(32)));
        assert_eq!(id_of(&token), Some("ci-1"));
        for wrong in
            ["", "pzd_", "pzd_ci-1", "pzd_ci-1_abab", &token[1..], &(token.clone() + "a"), &token.to_uppercase()]
        {
            assert_eq!(id_of(wrong), None, "{wrong}");
        }
        assert_eq!(digest_of_hex(&hex(&digest(&token))), Some(digest(&token)));
    }
}
