//! The network's configuration, parsed once and kept until the next upgrade.

use crate::codec::{BadInput, Decoded, Reader, Writer};
use crate::xdr::decode;
use crate::PROTOCOL;
use soroban_env_host::{
    budget::Budget,
    storage::{EntryWithLiveUntil, SnapshotSource},
    xdr::{ConfigSettingEntry, ConfigSettingId, LedgerEntry, LedgerEntryData, LedgerEntryExt, LedgerKey},
    HostError, LedgerInfo,
};
use soroban_simulation::NetworkConfig;
use std::{collections::BTreeMap, rc::Rc};

pub struct Network {
    pub config: NetworkConfig,
    /// Has the cost parameters that the size of compiled code depends on, and never runs out.
    pub size_budget: Budget,
    info: LedgerInfo,
}

/// The settings as a snapshot for `NetworkConfig` to load from.
struct Settings(BTreeMap<ConfigSettingId, EntryWithLiveUntil>);

impl SnapshotSource for Settings {
    fn get(&self, key: &Rc<LedgerKey>) -> Result<Option<EntryWithLiveUntil>, HostError> {
        Ok(match &**key {
            LedgerKey::ConfigSetting(k) => self.0.get(&k.config_setting_id).cloned(),
            _ => None,
        })
    }
}

impl Network {
    /// network id, base reserve, list of `ConfigSettingEntry` → rent fee per KB, memory limit
    pub fn configure(r: &mut Reader, w: &mut Writer) -> Decoded<Self> {
        let mut info = LedgerInfo {
            protocol_version: PROTOCOL,
            network_id: r.array()?,
            base_reserve: r.u32()?,
            ..Default::default()
        };
        let settings = r.list(|r| {
            let setting: ConfigSettingEntry = decode(r.bytes()?)?;
            let id = setting.discriminant();
            let entry = LedgerEntry {
                last_modified_ledger_seq: 0,
                data: LedgerEntryData::ConfigSetting(setting),
                ext: LedgerEntryExt::V0,
            };
            Ok((id, (Rc::new(entry), None)))
        })?;
        r.end()?;
        let settings = Settings(settings.into_iter().collect());
        let config = NetworkConfig::load_from_snapshot(&settings).map_err(|e| BadInput(format!("{e:?}")))?;
        config.fill_config_fields_in_ledger_info(&mut info);
        let network = Self { size_budget: Self::budget(&config, u64::MAX, u64::MAX)?, config, info };
        // The cost parameters are only validated when a budget is created from them.
        network.invocation_budget(0)?;
        w.i64(network.config.rent_fee_configuration.fee_per_rent_1kb).u32(network.config.tx_memory_limit);
        Ok(network)
    }

    fn budget(config: &NetworkConfig, instructions: u64, memory: u64) -> Decoded<Budget> {
        Budget::try_from_configs(
            instructions,
            memory,
            config.cpu_cost_params.clone(),
            config.memory_cost_params.clone(),
        )
        .map_err(|e| BadInput(format!("cost parameters: {:?}", e.error)))
    }

    /// Returns a fresh budget with the limits that stellar-core sets for a transaction.
    pub fn invocation_budget(&self, instructions: u32) -> Decoded<Budget> {
        Self::budget(&self.config, instructions.into(), self.config.tx_memory_limit.into())
    }

    /// Reads the ledger sequence and the close time.
    pub fn ledger_info(&self, r: &mut Reader) -> Decoded<LedgerInfo> {
        let mut info = self.info.clone();
        info.sequence_number = r.u32()?;
        info.timestamp = r.u64()?;
        Ok(info)
    }
}
