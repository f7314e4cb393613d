import { xdr } from '@stellar/stellar-sdk';
import {
  type GenesisKeys,
  type GenesisModules,
  genesisContractEntries,
  ttlOf,
} from '../genesis/index.ts';
import { readSetting } from '../settings/index.ts';
import { entryKeyId, LedgerState, newAccount } from '../state/index.ts';
import type { ForkOrigin } from './forkOrigin.ts';

const UNIT = 10_000_000n;
/** Balances of this network's own accounts, created in addition to the other network's lumens. */
const FRIENDBOT_XLM = 10_000_000_000n * UNIT;
const SPONSOR_XLM = 1_000_000n * UNIT;
const CHANNEL_XLM = 10n * UNIT;
const NO_HASH = new Uint8Array(32);

/**
 * The initial state of a fork: the other network's header and settings, the accounts whose keys this network has, and the
 * project's own contracts.
 */
export function forkState(
  { header, settings }: ForkOrigin,
  networkId: Uint8Array,
  keys: GenesisKeys,
  modules: GenesisModules,
): LedgerState {
  const { ledgerSeq } = header;
  const accounts = [
    newAccount(keys.friendbot.publicKey, FRIENDBOT_XLM, ledgerSeq),
    newAccount(keys.sponsor.publicKey, SPONSOR_XLM, ledgerSeq),
    ...keys.channels.map(({ publicKey }) => newAccount(publicKey, CHANNEL_XLM, ledgerSeq)),
  ];
  const state = new LedgerState(
    new xdr.LedgerHeader({
      ...header,
      previousLedgerHash: NO_HASH,
      totalCoins: accounts.reduce((sum, { balance }) => sum + balance, 0n),
      feePool: 0n,
      skipList: [NO_HASH, NO_HASH, NO_HASH, NO_HASH],
    }),
  );
  const put = (data: xdr.LedgerEntryData): void => {
    const ext = xdr.LedgerEntryExt.v0();
    const entry = new xdr.LedgerEntry({ lastModifiedLedgerSeq: ledgerSeq, data, ext });
    state.put(entryKeyId(entry), entry);
  };
  for (const setting of settings) put(xdr.LedgerEntryData.configSetting(setting));
  for (const account of accounts) put(xdr.LedgerEntryData.account(account));
  const { maxEntryTtl } = readSetting(state, 'configSettingStateArchival').stateArchivalSettings;
  for (const entry of genesisContractEntries(networkId, keys.root.publicKey, modules)) {
    put(entry);
    put(xdr.LedgerEntryData.ttl(ttlOf(entry, ledgerSeq + maxEntryTtl - 1)));
  }
  state.header = new xdr.LedgerHeader({ ...state.header, bucketListHash: state.stateHash() });
  return state;
}
