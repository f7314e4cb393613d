import type { xdr } from '@stellar/stellar-sdk';
import type { FrozenKeys } from '../../settings/index.ts';
import { accountKeyId, type LedgerKeyId, ledgerKeyId, trustlineKeyId } from '../../state/index.ts';
import {
  accountOfMuxed,
  assetLineKeyId,
  assetOfCode,
  trustLineAssetOf,
} from '../balances/index.ts';
import type { InnerTransaction, ParsedOperation } from '../envelope/index.ts';

/**
 * True if a transaction names a frozen key: as a source, in its footprint, or in an operation
 * (CAP-77; stellar-core `TransactionFrame::accessesFrozenKey`).
 */
export function accessesFrozenKey(tx: InnerTransaction, frozen: FrozenKeys): boolean {
  if (!frozen.any) return false;
  if (frozen.has(accountKeyId(tx.source))) return true;
  if (tx.isSoroban && tx.sorobanData !== undefined) {
    const { readOnly, readWrite } = tx.sorobanData.resources.footprint;
    const isFrozen = (key: xdr.LedgerKey): boolean => frozen.has(ledgerKeyId(key));
    if (readOnly.some(isFrozen) || readWrite.some(isFrozen)) return true;
  }
  return tx.operations.some(
    (operation) =>
      (operation.namesSource && frozen.has(accountKeyId(operation.source))) ||
      keysNamedBy(operation).some((id) => frozen.has(id)),
  );
}

/** The keys that an operation names; those that it finds out only when it is applied are checked then. */
function keysNamedBy({ body, source }: ParsedOperation): LedgerKeyId[] {
  switch (body.type) {
    case 'createAccount':
      return [accountKeyId(body.createAccountOp.destination)];
    case 'payment': {
      const { asset, destination } = body.paymentOp;
      return asset.type === 'assetTypeNative'
        ? [accountKeyId(accountOfMuxed(destination))]
        : [assetLineKeyId(source, asset), assetLineKeyId(accountOfMuxed(destination), asset)];
    }
    case 'pathPaymentStrictReceive': {
      const { sendAsset, destAsset, destination } = body.pathPaymentStrictReceiveOp;
      return [...lineOf(source, sendAsset), receiverOf(destination, destAsset)];
    }
    case 'pathPaymentStrictSend': {
      const { sendAsset, destAsset, destination } = body.pathPaymentStrictSendOp;
      return [...lineOf(source, sendAsset), receiverOf(destination, destAsset)];
    }
    case 'manageSellOffer':
    case 'manageBuyOffer':
    case 'createPassiveSellOffer':
      return [...lineOf(source, body.value.selling), ...lineOf(source, body.value.buying)];
    case 'changeTrust': {
      const { line } = body.changeTrustOp;
      return line.type === 'assetTypeNative' || line.type === 'assetTypePoolShare'
        ? []
        : [trustlineKeyId(source, trustLineAssetOf(line))];
    }
    case 'allowTrust': {
      const { trustor, asset } = body.allowTrustOp;
      return [assetLineKeyId(trustor, assetOfCode(source, asset))];
    }
    case 'setTrustLineFlags':
      return [assetLineKeyId(body.setTrustLineFlagsOp.trustor, body.setTrustLineFlagsOp.asset)];
    case 'clawback':
      return [assetLineKeyId(accountOfMuxed(body.clawbackOp.from), body.clawbackOp.asset)];
    case 'accountMerge':
      return [accountKeyId(accountOfMuxed(body.destination))];
    case 'createClaimableBalance':
      return lineOf(source, body.createClaimableBalanceOp.asset);
    case 'revokeSponsorship': {
      const { revokeSponsorshipOp: revoked } = body;
      return revoked.type === 'revokeSponsorshipLedgerEntry'
        ? [ledgerKeyId(revoked.ledgerKey)]
        : [accountKeyId(revoked.signer.accountId)];
    }
    default:
      return [];
  }
}

function lineOf(account: xdr.PublicKey, asset: xdr.Asset): LedgerKeyId[] {
  return asset.type === 'assetTypeNative' ? [] : [assetLineKeyId(account, asset)];
}

function receiverOf(destination: xdr.MuxedAccount, asset: xdr.Asset): LedgerKeyId {
  const account = accountOfMuxed(destination);
  return asset.type === 'assetTypeNative' ? accountKeyId(account) : assetLineKeyId(account, asset);
}
