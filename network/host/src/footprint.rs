//! The footprint's entries as the embedder selected them, in the form that this protocol's host takes.

use crate::codec::{Decoded, Reader};

pub struct Ttl {
    #[cfg_attr(not(feature = "parallel-entry-lists"), allow(dead_code))]
    pub key_hash: [u8; 32],
    pub live_until: u32,
}

pub struct Loaded<'a> {
    pub entry: &'a [u8],
    pub ttl: Option<Ttl>,
}

/// One item per footprint key: flag, entry, flag, key hash, live-until.
pub fn read<'a>(r: &mut Reader<'a>) -> Decoded<Vec<Option<Loaded<'a>>>> {
    r.list(|r| {
        if !r.bool()? {
            return Ok(None);
        }
        let entry = r.bytes()?;
        let ttl = if r.bool()? { Some(Ttl { key_hash: r.array()?, live_until: r.u32()? }) } else { None };
        Ok(Some(Loaded { entry, ttl }))
    })
}
