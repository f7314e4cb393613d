//! The wire format: little-endian integers, byte strings with a u32 length, and lists with a u32 count.

/// The request is malformed. The text is for the embedder's log.
pub struct BadInput(pub String);

pub type Decoded<T> = Result<T, BadInput>;

pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub fn new(request: &'a [u8]) -> Self {
        Self(request)
    }

    fn take(&mut self, n: usize) -> Decoded<&'a [u8]> {
        if self.0.len() < n {
            return Err(BadInput(format!("request ends {} bytes early", n - self.0.len())));
        }
        let (taken, rest) = self.0.split_at(n);
        self.0 = rest;
        Ok(taken)
    }

    pub fn array<const N: usize>(&mut self) -> Decoded<[u8; N]> {
        let bytes = self.take(N)?;
        bytes.try_into().map_err(|_| BadInput("unreachable: length was taken".into()))
    }

    pub fn u32(&mut self) -> Decoded<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub fn u64(&mut self) -> Decoded<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub fn bool(&mut self) -> Decoded<bool> {
        Ok(self.u32()? != 0)
    }

    pub fn bytes(&mut self) -> Decoded<&'a [u8]> {
        let n = self.u32()? as usize;
        self.take(n)
    }

    /// Reads a count, then that many items. Does not reserve memory for them, because the count is not trusted.
    pub fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Decoded<T>) -> Decoded<Vec<T>> {
        let n = self.u32()?;
        let mut items = vec![];
        for _ in 0..n {
            items.push(item(self)?);
        }
        Ok(items)
    }

    pub fn end(&self) -> Decoded<()> {
        match self.0.len() {
            0 => Ok(()),
            n => Err(BadInput(format!("request has {n} bytes too many"))),
        }
    }
}

#[derive(Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    pub fn u32(&mut self, v: u32) -> &mut Self {
        self.0.extend_from_slice(&v.to_le_bytes());
        self
    }

    pub fn bool(&mut self, v: bool) -> &mut Self {
        self.u32(v.into())
    }

    pub fn u64(&mut self, v: u64) -> &mut Self {
        self.0.extend_from_slice(&v.to_le_bytes());
        self
    }

    pub fn i64(&mut self, v: i64) -> &mut Self {
        self.0.extend_from_slice(&v.to_le_bytes());
        self
    }

    pub fn bytes(&mut self, v: &[u8]) -> &mut Self {
        self.u32(v.len() as u32);
        self.0.extend_from_slice(v);
        self
    }

    /// Writes a flag, then the bytes if there are any.
    pub fn optional(&mut self, v: Option<&[u8]>) -> &mut Self {
        self.bool(v.is_some());
        if let Some(v) = v {
            self.bytes(v);
        }
        self
    }

    pub fn list<T>(&mut self, items: impl ExactSizeIterator<Item = T>, mut item: impl FnMut(&mut Self, T)) -> &mut Self {
        self.u32(items.len() as u32);
        for i in items {
            item(self, i);
        }
        self
    }
}
