import { xdr } from '@stellar/stellar-sdk';
import { isAssetValid, isIssuer, isNative } from '../balances/index.ts';
import type { OperationRules } from './operation.ts';
import { isPrintableAscii } from './printableText.ts';
import { revokeEntrySponsorship } from './sponsorshipRevocation/revokeEntrySponsorship.ts';
import { revokeSignerSponsorship } from './sponsorshipRevocation/revokeSignerSponsorship.ts';

/**
 * Ends, begins or transfers the sponsorship of an existing entry or signer, at the request of the account that currently pays
 * for it (CAP-33; stellar-core `RevokeSponsorshipOpFrame.cpp`).
 */
export const revokeSponsorship: OperationRules<'revokeSponsorship'> = {
  type: 'revokeSponsorship',
  threshold: () => 'medium',
  checkValid({ revokeSponsorshipOp: op }) {
    return op.type === 'revokeSponsorshipLedgerEntry' && !isSponsorable(op.ledgerKey)
      ? xdr.OperationResult.opInner(
          xdr.OperationResultTr.revokeSponsorship(
            xdr.RevokeSponsorshipResult.revokeSponsorshipMalformed(),
          ),
        )
      : undefined;
  },
  apply({ ltx, source, body: { revokeSponsorshipOp: op } }) {
    return op.type === 'revokeSponsorshipLedgerEntry'
      ? revokeEntrySponsorship(ltx, source, op.ledgerKey)
      : revokeSignerSponsorship(ltx, source, op.signer);
  },
};

/** True if an entry with this key can exist and has a reserve. */
function isSponsorable(key: xdr.LedgerKey): boolean {
  switch (key.type) {
    case 'account':
    case 'claimableBalance':
      return true;
    case 'trustline': {
      const { accountId, asset } = key.trustLine;
      return isAssetValid(asset) && !isNative(asset) && !isIssuer(accountId, asset);
    }
    case 'offer':
      return key.offer.offerId > 0n;
    case 'data':
      return key.data.dataName.length >= 1 && isPrintableAscii(key.data.dataName);
    default:
      return false;
  }
}
