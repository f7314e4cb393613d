import type { xdr } from '@stellar/stellar-sdk';
import { accountText, signerText } from '../format/address.ts';
import { accountFlagFields } from '../format/flags.ts';
import { base64Text } from '../format/hex.ts';

export function setOptionsDetails(op: xdr.SetOptionsOp) {
  return {
    home_domain: op.homeDomain?.length ? op.homeDomain.toString() : undefined,
    inflation_dest: op.inflationDest === null ? undefined : accountText(op.inflationDest),
    master_key_weight: op.masterWeight ?? undefined,
    signer_key: op.signer === null ? undefined : signerText(op.signer.key),
    signer_weight: op.signer?.weight,
    ...accountFlagFields('set', op.setFlags),
    ...accountFlagFields('clear', op.clearFlags),
    low_threshold: op.lowThreshold ?? undefined,
    med_threshold: op.medThreshold ?? undefined,
    high_threshold: op.highThreshold ?? undefined,
  };
}

/** Removed data is written as an empty value. */
export function manageDataDetails(op: xdr.ManageDataOp) {
  return {
    name: op.dataName.toString(),
    value: op.dataValue === null ? '' : base64Text(op.dataValue.value),
  };
}

export function bumpSequenceDetails(op: xdr.BumpSequenceOp) {
  return { bump_to: String(op.bumpTo) };
}
