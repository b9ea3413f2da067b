//! Compresses and decompresses with gzip, within a limit on the size, and reads the headers that ask for it.

use std::io::{Read as _, Write as _};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use http::HeaderValue;
use prost::bytes::Bytes;
use tonic::Status;

use crate::calls::Invalid;
use puzzled_engine::shared::names::quoted;

/// The name in headers.
pub(super) const GZIP: &str = "gzip";

/// The minimum size of an answer to compress, in bytes. A smaller answer fits into one packet anyway.
const COMPRESSED_LEN_MIN: usize = 1_024;

/// Whether the header of a body or a stream says that it is compressed.
///
/// # Errors
/// UNIMPLEMENTED for any compression except gzip.
pub(super) fn is_used(encoding: Option<&HeaderValue>) -> Result<bool, Status> {
    match encoding.map(|encoding| encoding.to_str().unwrap_or_default().trim()) {
        None | Some("" | "identity") => Ok(false),
        Some(GZIP) => Ok(true),
        Some(other) => {
            Err(Status::unimplemented(format!("the compression {} is not supported; use gzip or none", quoted(other))))
        }
    }
}

/// Whether a list of accepted compressions contains gzip.
pub(super) fn is_accepted(list: Option<&HeaderValue>) -> bool {
    let list = list.and_then(|list| list.to_str().ok()).unwrap_or_default();
    list.split(',').any(|entry| {
        let (name, weight) = entry.split_once(';').unwrap_or((entry, ""));
        let weight = weight.trim().trim_start_matches("q=");
        name.trim() == GZIP && weight.parse::<f32>() != Ok(0.0)
    })
}

/// Decompresses bytes.
///
/// # Errors
/// If the bytes are not gzip, or give more than `len_max` bytes. Decompression stops at the first byte beyond the
/// limit.
pub(super) fn inflate(bytes: &[u8], len_max: usize) -> Result<Bytes, Status> {
    let mut inflated = Vec::new();
    let mut reader = GzDecoder::new(bytes).take(len_max as u64 + 1);
    match reader.read_to_end(&mut inflated) {
        Ok(len) if len > len_max => Err(too_large(len_max)),
        Ok(_) => Ok(inflated.into()),
        Err(error) => Err(Invalid::one("body", format!("not valid gzip: {error}")).into()),
    }
}

/// Compresses bytes; `None` if they are too few to be worth it.
pub(super) fn deflate(bytes: &[u8]) -> Option<Bytes> {
    if bytes.len() < COMPRESSED_LEN_MIN {
        return None;
    }
    // The level is the fastest, because a page of 4 MiB must not delay the other calls on its thread.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

/// The error for a request that is larger than its limit.
pub(super) fn too_large(len_max: usize) -> Status {
    Status::out_of_range(format!("the request is larger than {len_max} bytes, the limit `max_request_bytes`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_the_same_after_both_directions() {
        let bytes = b"sudoku ".repeat(1_000);
        let compressed = deflate(&bytes).unwrap();
        assert!(compressed.len() < bytes.len() / 10);
        assert_eq!(inflate(&compressed, bytes.len()).unwrap(), bytes);
        assert!(deflate(&bytes[..1_000]).is_none());
    }

    #[test]
    fn bomb_is_refused_at_its_bound() {
        let bomb = deflate(&vec![b' '; 64 << 20]).unwrap();
        assert!(bomb.len() < 1 << 20);
        assert_eq!(inflate(&bomb, 1 << 20).unwrap_err().code(), tonic::Code::OutOfRange);
    }

    #[test]
    fn lists_of_compressions_are_read_with_their_weights() {
        for (list, expected) in [
            ("gzip", true),
            ("deflate, gzip;q=0.5", true),
            ("br, gzip ; q=1", true),
            ("gzip;q=0", false),
            ("br", false),
            ("", false),
        ] {
            assert_eq!(is_accepted(Some(&HeaderValue::from_static(list))), expected, "{list:?}");
        }
    }
}
