import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { type LedgerView, ledgerKeyId, ttlKeyId } from '../../state/index.ts';
import { encodeXdr } from '../../xdr/index.ts';
import { isSettingValid, isUpgradeable } from './settingValidity.ts';

/**
 * The changes of settings that an upgrade refers to: a contract published them as a temporary entry under their hash. Undefined
 * if the entry does not exist, has expired, or holds anything that is not allowed (stellar-core `ConfigUpgradeSetFrame`).
 */
export function readConfigUpgradeSet(
  view: LedgerView,
  key: xdr.ConfigUpgradeSetKey,
): readonly xdr.ConfigSettingEntry[] | undefined {
  const bytes = publishedBytes(view, key);
  if (bytes === undefined) return undefined;
  const set = decode(bytes);
  if (set === undefined) return undefined;
  const hash = createHash('sha256').update(encodeXdr(set)).digest();
  if (Buffer.compare(hash, key.contentHash.value) !== 0) return undefined;
  const settings = set.updatedEntry;
  if (settings.length === 0 || !areAscending(settings)) return undefined;
  return settings.every((setting) => isUpgradeable(setting) && isSettingValid(setting))
    ? settings
    : undefined;
}

function publishedBytes(
  view: LedgerView,
  { contractId, contentHash }: xdr.ConfigUpgradeSetKey,
): Uint8Array | undefined {
  const id = ledgerKeyId(
    xdr.LedgerKey.contractData(
      new xdr.LedgerKeyContractData({
        contract: xdr.ScAddress.scAddressTypeContract(contractId),
        key: xdr.ScVal.scvBytes(contentHash.value),
        durability: xdr.ContractDataDurability.temporary,
      }),
    ),
  );
  const entry = view.peek(id);
  const ttl = view.peek(ttlKeyId(id));
  if (entry?.data.type !== 'contractData' || ttl?.data.type !== 'ttl') return undefined;
  if (ttl.data.ttl.liveUntilLedgerSeq < view.header.ledgerSeq) return undefined;
  const { val } = entry.data.contractData;
  return val.type === 'scvBytes' ? val.bytes.value : undefined;
}

function decode(bytes: Uint8Array): xdr.ConfigUpgradeSet | undefined {
  try {
    return xdr.ConfigUpgradeSet.fromXdr(bytes);
  } catch {
    return undefined;
  }
}

/** Each setting once, in the order of their ids. */
function areAscending(settings: readonly xdr.ConfigSettingEntry[]): boolean {
  const ids = settings.map(({ type }) => xdr.ConfigSettingId.fromName(type).value);
  return ids.every((id, at) => at === 0 || (ids[at - 1] ?? id) < id);
}
