//! Writes and splits messages with a head of five bytes, flags and length, as gRPC and the streams of Connect send
//! them.

use prost::bytes::{Buf as _, BufMut as _, Bytes, BytesMut};

/// Bytes of a head.
pub(super) const HEAD_LEN: usize = 5;

/// The first byte of a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flags(u8);

impl Flags {
    /// A message that is not compressed.
    pub(super) const PLAIN: Self = Self(0);
    /// A compressed message.
    pub(super) const COMPRESSED: Self = Self(1);
    /// The end of a Connect stream.
    pub(super) const END: Self = Self(2);

    pub(super) fn is_compressed(self) -> bool {
        self == Self::COMPRESSED
    }
}

/// The flags and the length in the head with which the bytes begin; `None` if the head is incomplete.
pub(super) fn head(bytes: &[u8]) -> Option<(Flags, usize)> {
    let (&[flags, a, b, c, d], _) = bytes.split_first_chunk()?;
    Some((Flags(flags), u32::from_be_bytes([a, b, c, d]) as usize))
}

/// A gRPC message with its head.
pub(super) fn framed(message: &[u8]) -> Bytes {
    with_head(Flags::PLAIN, message)
}

/// A message with a head in front of it.
pub(super) fn with_head(flags: Flags, message: &[u8]) -> Bytes {
    let mut framed = BytesMut::with_capacity(HEAD_LEN + message.len());
    framed.put_u8(flags.0);
    // The limits on messages are far below 4 GiB.
    framed.put_u32(u32::try_from(message.len()).unwrap_or(u32::MAX));
    framed.extend_from_slice(message);
    framed.freeze()
}

/// Splits the bytes of a gRPC body into messages.
#[derive(Debug, Default)]
pub(super) struct Messages {
    bytes: BytesMut,
}

impl Messages {
    /// Adds the next bytes of the body.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next complete message; `None` until it has arrived.
    pub(super) fn next(&mut self) -> Option<Bytes> {
        let (_, len) = head(&self.bytes)?;
        if self.bytes.len() - HEAD_LEN < len {
            return None;
        }
        self.bytes.advance(HEAD_LEN);
        Some(self.bytes.split_to(len).freeze())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_cut_wherever_the_bytes_are_parted() {
        let sent = [&b"first"[..], b"", b"third"];
        let body: Vec<_> = sent.iter().flat_map(|message| framed(message)).collect();
        for step in 1..=body.len() {
            let mut messages = Messages::default();
            let mut read = Vec::new();
            for part in body.chunks(step) {
                messages.push(part);
                read.extend(std::iter::from_fn(|| messages.next()));
            }
            assert_eq!(read, sent, "in parts of {step}");
        }
    }
}
