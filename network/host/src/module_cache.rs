//! Compiled contracts, kept between ledgers as in stellar-core.

use crate::codec::{BadInput, Decoded, Reader};
use crate::PROTOCOL;
use soroban_env_host::{
    budget::{AsBudget, Budget},
    xdr::{ContractCostParams, Hash},
    CompilationContext, Error, ErrorHandler, HostError, ModuleCache, Val,
};

/// Compiles outside any transaction, so no one is charged. Cost parameters stay empty, as in stellar-core's context.
#[derive(Clone)]
struct Unmetered(Budget);

impl Unmetered {
    fn new() -> Result<Self, HostError> {
        let none = || ContractCostParams(Default::default());
        Ok(Self(Budget::try_from_configs(u64::MAX, u64::MAX, none(), none())?))
    }
}

impl AsBudget for Unmetered {
    fn as_budget(&self) -> &Budget {
        &self.0
    }
}

impl ErrorHandler for Unmetered {
    fn map_err<T, E>(&self, res: Result<T, E>) -> Result<T, HostError>
    where
        Error: From<E>,
        E: core::fmt::Debug,
    {
        res.map_err(|e| HostError::from(Error::from(e)))
    }

    fn error(&self, error: Error, _msg: &str, _args: &[Val]) -> HostError {
        HostError::from(error)
    }
}

impl CompilationContext for Unmetered {}

pub fn empty() -> Decoded<ModuleCache> {
    Unmetered::new()
        .and_then(|context| ModuleCache::new(&context))
        .map_err(|e| BadInput(format!("module cache: {:?}", e.error)))
}

/// code → nothing. Code that does not parse is not cached, and fails when it is invoked.
pub fn add(cache: &ModuleCache, r: &mut Reader) -> Decoded<()> {
    let code = r.bytes()?;
    r.end()?;
    if let Ok(context) = Unmetered::new() {
        let _ = cache.parse_and_cache_module_simple(&context, PROTOCOL, code);
    }
    Ok(())
}

/// SHA-256 of the code → nothing.
pub fn remove(cache: &ModuleCache, r: &mut Reader) -> Decoded<()> {
    let hash = Hash(r.array()?);
    r.end()?;
    let _ = cache.remove_module(&hash);
    Ok(())
}
