use std::rc::Rc;

use soroban_sdk::{
    xdr::{
        AccountEntry, AccountEntryExt, AccountId, Asset, LedgerEntry, LedgerEntryData,
        LedgerEntryExt, LedgerKey, LedgerKeyAccount, LedgerKeyTrustLine, PublicKey, ScAddress,
        ScVal, SequenceNumber, Thresholds, TrustLineAsset, TrustLineEntry, TrustLineEntryExt,
        TrustLineFlags, Uint256,
    },
    Address, Bytes, Env, Map, Symbol, TryFromVal, Val, Vec,
};

use crate::{Authorization, Key};

/// A classic account (a `G…` address) with one key and a trustline.
pub struct ClassicAccount {
    pub address: Address,
    key: Key,
}

impl ClassicAccount {
    /// Adds the account and its trustline to `asset` to the ledger.
    pub fn open(env: &Env, key: Key, asset: &Asset) -> Self {
        let id = AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(key.public())));
        let account = AccountEntry {
            account_id: id.clone(),
            balance: 100_000_000,
            seq_num: SequenceNumber(0),
            num_sub_entries: 1,
            inflation_dest: None,
            flags: 0,
            home_domain: Default::default(),
            thresholds: Thresholds([1, 0, 0, 0]),
            signers: Default::default(),
            ext: AccountEntryExt::V0,
        };
        let account_key = LedgerKey::Account(LedgerKeyAccount {
            account_id: id.clone(),
        });
        put(env, account_key, LedgerEntryData::Account(account));

        let asset = match asset {
            Asset::CreditAlphanum4(asset) => TrustLineAsset::CreditAlphanum4(asset.clone()),
            Asset::CreditAlphanum12(asset) => TrustLineAsset::CreditAlphanum12(asset.clone()),
            Asset::Native => TrustLineAsset::Native,
        };
        let trustline = TrustLineEntry {
            account_id: id.clone(),
            asset: asset.clone(),
            balance: 0,
            limit: i64::MAX,
            flags: TrustLineFlags::AuthorizedFlag as u32,
            ext: TrustLineEntryExt::V0,
        };
        let trustline_key = LedgerKey::Trustline(LedgerKeyTrustLine {
            account_id: id.clone(),
            asset,
        });
        put(env, trustline_key, LedgerEntryData::Trustline(trustline));

        let address = Address::try_from_val(env, &ScAddress::Account(id)).expect("an address");
        Self { address, key }
    }

    /// Returns the account's signature in the form that the host expects.
    pub fn sign(&self, env: &Env, authorization: &Authorization) -> ScVal {
        let signature = self.key.sign(&authorization.payload(env));
        let mut fields: Map<Symbol, Bytes> = Map::new(env);
        let public = Bytes::from_array(env, &self.key.public());
        fields.set(Symbol::new(env, "public_key"), public);
        fields.set(
            Symbol::new(env, "signature"),
            Bytes::from_array(env, &signature),
        );
        let signatures: Val = Vec::from_array(env, [fields]).to_val();
        ScVal::try_from_val(env, &signatures).expect("a value of the ledger")
    }
}

fn put(env: &Env, key: LedgerKey, data: LedgerEntryData) {
    let entry = LedgerEntry {
        last_modified_ledger_seq: 0,
        data,
        ext: LedgerEntryExt::V0,
    };
    env.host()
        .add_ledger_entry(&Rc::new(key), &Rc::new(entry), None)
        .expect("a ledger that takes entries");
}
