//! The Soroban host behind a small C ABI: `lh_protocol`, `lh_alloc`, `lh_free`, `lh_call`, `lh_panic`, and one import,
//! `env.lh_get_entry`, through which simulations read ledger entries. See README.md.

mod codec;
mod embedder;
mod entries;
mod event_log;
mod failure;
mod fees;
mod footprint;
mod invoke;
mod module_cache;
mod network;
mod simulate;
mod xdr;

use codec::{BadInput, Decoded, Reader, Writer};
use network::Network;
use soroban_env_host::ModuleCache;
use std::{cell::RefCell, sync::Once};

/// The ledger protocol that this host was built for. It cannot run any other.
pub(crate) const PROTOCOL: u32 = soroban_env_host::meta::INTERFACE_VERSION.protocol;

mod op {
    pub const PANIC: u32 = 0;
    pub const CONFIGURE: u32 = 1;
    pub const INVOKE: u32 = 2;
    pub const SIMULATE_INVOKE: u32 = 3;
    pub const SIMULATE_EXTEND_TTL: u32 = 4;
    pub const SIMULATE_RESTORE: u32 = 5;
    pub const CACHE_MODULE: u32 = 6;
    pub const UNCACHE_MODULE: u32 = 7;
    pub const CLEAR_MODULE_CACHE: u32 = 8;
    pub const RESOURCE_FEE: u32 = 9;
    pub const RENT_FEE: u32 = 10;
    pub const SIZE_FOR_RENT: u32 = 11;
}

const DONE: u32 = 0;
const BAD_INPUT: u32 = 1;

/// The state kept between calls, which does not include ledger entries.
#[derive(Default)]
struct Kept {
    network: Option<Network>,
    cache: Option<ModuleCache>,
}

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

impl Kept {
    fn network(&self) -> Decoded<&Network> {
        self.network.as_ref().ok_or_else(|| BadInput("the host is not configured".into()))
    }

    fn cache(&mut self) -> Decoded<&ModuleCache> {
        if self.cache.is_none() {
            self.cache = Some(module_cache::empty()?);
        }
        self.cache.as_ref().ok_or_else(|| BadInput("unreachable: the cache was just made".into()))
    }

    fn call(&mut self, op: u32, r: &mut Reader, w: &mut Writer) -> Decoded<()> {
        match op {
            // Lets an embedder prove that it survives a panic.
            op::PANIC => panic!("a panic was asked for"),
            op::CONFIGURE => self.network = Some(Network::configure(r, w)?),
            op::INVOKE => {
                let cache = self.cache()?.clone();
                invoke::invoke(self.network()?, &cache, r, w)?
            }
            op::SIMULATE_INVOKE => simulate::invoke(self.network()?, r, w)?,
            op::SIMULATE_EXTEND_TTL => simulate::extend_ttl(self.network()?, r, w)?,
            op::SIMULATE_RESTORE => simulate::restore(self.network()?, r, w)?,
            op::CACHE_MODULE => module_cache::add(self.cache()?, r)?,
            op::UNCACHE_MODULE => module_cache::remove(self.cache()?, r)?,
            op::CLEAR_MODULE_CACHE => self.cache = None,
            op::RESOURCE_FEE => fees::resource_fee(self.network()?, r, w)?,
            op::RENT_FEE => fees::rent_fee(self.network()?, r, w)?,
            op::SIZE_FOR_RENT => fees::entry_size(self.network()?, r, w)?,
            n => return Err(BadInput(format!("no operation {n}"))),
        }
        Ok(())
    }
}

/// Returns a status, then the operation's result or the reason why the input was refused.
fn answer(op: u32, request: &[u8]) -> Vec<u8> {
    let mut w = Writer::default();
    w.u32(DONE);
    match KEPT.with(|kept| kept.borrow_mut().call(op, &mut Reader::new(request), &mut w)) {
        Ok(()) => w.into_bytes(),
        Err(BadInput(text)) => {
            let mut w = Writer::default();
            w.u32(BAD_INPUT).bytes(text.as_bytes());
            w.into_bytes()
        }
    }
}

fn pack(bytes: Vec<u8>) -> u64 {
    let boxed = bytes.into_boxed_slice();
    let len = boxed.len() as u64;
    let pointer = Box::into_raw(boxed) as *mut u8 as usize as u64;
    (len << 32) | pointer
}

/// # Safety
/// `packed` must be a buffer from `lh_alloc` or `pack` that nothing else owns.
pub(crate) unsafe fn unpack(packed: u64) -> Box<[u8]> {
    let (pointer, len) = (packed as u32 as usize as *mut u8, (packed >> 32) as usize);
    Box::from_raw(core::ptr::slice_from_raw_parts_mut(pointer, len))
}

#[no_mangle]
pub extern "C" fn lh_protocol() -> u32 {
    PROTOCOL
}

#[no_mangle]
pub extern "C" fn lh_alloc(len: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; len].into_boxed_slice()) as *mut u8
}

/// # Safety
/// `pointer` and `len` must be those of a buffer from `lh_alloc` or of an answer.
#[no_mangle]
pub unsafe extern "C" fn lh_free(pointer: *mut u8, len: usize) {
    drop(unpack((len as u64) << 32 | pointer as usize as u64));
}

/// # Safety
/// `request` and `len` must describe readable memory.
#[no_mangle]
pub unsafe extern "C" fn lh_call(op: u32, request: *const u8, len: usize) -> u64 {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        std::panic::set_hook(Box::new(|info| PANIC.with(|p| *p.borrow_mut() = info.to_string())));
    });
    pack(answer(op, core::slice::from_raw_parts(request, len)))
}

/// Returns the message of the panic that ended the last call. Afterwards the instance cannot be used for anything else.
#[no_mangle]
pub extern "C" fn lh_panic() -> u64 {
    pack(PANIC.with(|p| p.borrow().clone()).into_bytes())
}
