import type { xdr } from '@stellar/stellar-sdk';
import { accountText, signerText } from '../format/address.ts';
import { base64Text } from '../format/hex.ts';
import { dataOf, type HistoryOperation } from '../history/historyOperation.ts';
import { type Effect, type EffectType, effectOn } from './effect.ts';

const AUTH_REQUIRED = 1;

export function setOptionsEffects(op: xdr.SetOptionsOp, operation: HistoryOperation): Effect[] {
  const { source } = operation;
  const effects: Effect[] = [];
  const add = (type: EffectType, details: Effect['details']): void => {
    effects.push(effectOn(source, type, details));
  };
  if (op.homeDomain !== null) {
    add('account_home_domain_updated', { home_domain: op.homeDomain.toString() });
  }
  if (op.lowThreshold !== null || op.medThreshold !== null || op.highThreshold !== null) {
    add('account_thresholds_updated', {
      low_threshold: op.lowThreshold ?? 0,
      med_threshold: op.medThreshold ?? 0,
      high_threshold: op.highThreshold ?? 0,
    });
  }
  if (op.setFlags || op.clearFlags) add('account_flags_updated', flagFields(op));
  if (op.inflationDest !== null) add('account_inflation_destination_updated', {});
  for (const { before, after } of operation.deltas) {
    const [former, latter] = [dataOf(before, 'account'), dataOf(after, 'account')];
    if (former && latter) effects.push(...signerEffects(source, former.account, latter.account));
  }
  return effects;
}

export function manageDataEffects(op: xdr.ManageDataOp, operation: HistoryOperation): Effect[] {
  const name = op.dataName.toString();
  const delta = operation.deltas.find(({ type }) => type === 'data');
  if (delta === undefined) return [];
  const value = dataOf(delta.after, 'data')?.data.dataValue;
  if (value === undefined) return [effectOn(operation.source, 'data_removed', { name })];
  const type = delta.before === undefined ? 'data_created' : 'data_updated';
  return [effectOn(operation.source, type, { name, value: base64Text(value.value) })];
}

export function bumpSequenceEffects(operation: HistoryOperation): Effect[] {
  const delta = operation.deltas.find(({ type }) => type === 'account');
  const former = dataOf(delta?.before, 'account')?.account.seqNum;
  const latter = dataOf(delta?.after, 'account')?.account.seqNum;
  if (latter === undefined || former === latter) return [];
  return [effectOn(operation.source, 'sequence_bumped', { new_seq: String(latter) })];
}

/** Horizon never writes the other flags, because its field names differ from the keys that it reads. */
function flagFields({ setFlags, clearFlags }: xdr.SetOptionsOp): Effect['details'] {
  if (((clearFlags ?? 0) & AUTH_REQUIRED) !== 0) return { auth_required_flag: false };
  return ((setFlags ?? 0) & AUTH_REQUIRED) !== 0 ? { auth_required_flag: true } : {};
}

function signerEffects(
  source: xdr.MuxedAccount,
  former: xdr.AccountEntry,
  latter: xdr.AccountEntry,
): Effect[] {
  const [before, after] = [weightsOf(former), weightsOf(latter)];
  const effects: Effect[] = [];
  for (const key of [...before.keys()].sort()) {
    const weight = after.get(key);
    if (weight === before.get(key)) continue;
    const type = weight === undefined ? 'signer_removed' : 'signer_updated';
    effects.push(effectOn(source, type, signerFields(key, weight ?? 0)));
  }
  for (const key of [...after.keys()].sort()) {
    if (before.has(key)) continue;
    effects.push(effectOn(source, 'signer_created', signerFields(key, after.get(key) ?? 0)));
  }
  return effects;
}

function signerFields(key: string, weight: number): Effect['details'] {
  return { weight, public_key: key, key };
}

/** The keys that can sign for an account, with their weights, including its master key if that has any weight. */
function weightsOf(account: xdr.AccountEntry): Map<string, number> {
  const weights = new Map(account.signers.map(({ key, weight }) => [signerText(key), weight]));
  const master = account.thresholds.value[0] ?? 0;
  if (master > 0) weights.set(accountText(account.accountId), master);
  return weights;
}
