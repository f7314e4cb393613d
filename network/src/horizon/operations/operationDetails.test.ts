import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Horizon } from '@stellar/stellar-sdk';
import { type Except, fits } from '../../../test/helpers/fits.ts';
import type { AssetFields } from '../format/asset.ts';
import * as contract from './contractDetails.ts';
import * as offer from './offerDetails.ts';
import * as details from './operationDetails.ts';
import * as payment from './paymentDetails.ts';
import * as trust from './trustDetails.ts';

/** Fields of one operation type, without those that all operations share. */
type Details<Response> = Omit<Response, keyof Horizon.HorizonApi.BaseOperationResponse>;
type Of<Write extends (...given: never[]) => object> = ReturnType<Write>;

/** The native asset has no trustlines and no clawback; the type system cannot express that. */
type AnyAsset = AssetFields;
/** The SDK's type has `numerator` and `denominator`; Horizon sends `n` and `d`. */
interface Price {
  price_r: { n: number; d: number };
}
/** The SDK's type has code and issuer, which Horizon leaves out for the native asset. */
interface Path {
  path: AssetFields[];
}
/** The SDK's type lacks 8 (`auth_clawback_enabled`), and Horizon omits empty lists. */
interface AccountFlags {
  set_flags?: number[];
  set_flags_s?: string[];
  clear_flags?: number[];
  clear_flags_s?: string[];
}
/** Has no asset if the transaction failed: its pool is unknown. */
type Reserves = { asset?: string; amount: string }[];

describe('Details of operations are what the Stellar SDK reads', () => {
  it('every type: details that the SDK cannot take are an error of the compiler', () => {
    const compared = {
      accountMergeDetails: fits<
        Of<typeof payment.accountMergeDetails>,
        Details<Horizon.HorizonApi.AccountMergeOperationResponse>
      >(),
      allowTrustDetails: fits<
        Of<typeof trust.allowTrustDetails>,
        Except<Details<Horizon.HorizonApi.AllowTrustOperationResponse>, AnyAsset>
      >(),
      beginSponsoringDetails: fits<
        Of<typeof details.beginSponsoringDetails>,
        Details<Horizon.HorizonApi.BeginSponsoringFutureReservesOperationResponse>
      >(),
      bumpSequenceDetails: fits<
        Of<typeof details.bumpSequenceDetails>,
        Details<Horizon.HorizonApi.BumpSequenceOperationResponse>
      >(),
      buyOfferDetails: fits<
        Of<typeof offer.buyOfferDetails>,
        Except<Details<Horizon.HorizonApi.ManageOfferOperationResponse>, Price>
      >(),
      changeTrustDetails: fits<
        Of<typeof trust.changeTrustDetails>,
        Except<Details<Horizon.HorizonApi.ChangeTrustOperationResponse>, AnyAsset>
      >(),
      claimClaimableBalanceDetails: fits<
        Of<typeof details.claimClaimableBalanceDetails>,
        Details<Horizon.HorizonApi.ClaimClaimableBalanceOperationResponse>
      >(),
      clawbackClaimableBalanceDetails: fits<
        Of<typeof details.clawbackClaimableBalanceDetails>,
        Details<Horizon.HorizonApi.ClawbackClaimableBalanceOperationResponse>
      >(),
      clawbackDetails: fits<
        Of<typeof trust.clawbackDetails>,
        Except<Details<Horizon.HorizonApi.ClawbackOperationResponse>, AnyAsset>
      >(),
      createAccountDetails: fits<
        Of<typeof payment.createAccountDetails>,
        Details<Horizon.HorizonApi.CreateAccountOperationResponse>
      >(),
      // Any operation may have a sponsor, so the shared fields include it.
      createClaimableBalanceDetails: fits<
        Of<typeof details.createClaimableBalanceDetails>,
        Omit<Details<Horizon.HorizonApi.CreateClaimableBalanceOperationResponse>, 'sponsor'>
      >(),
      // Absent where the transaction failed before the sponsorship ended.
      endSponsoringDetails: fits<
        Of<typeof details.endSponsoringDetails>,
        Partial<Details<Horizon.HorizonApi.EndSponsoringFutureReservesOperationResponse>>
      >(),
      // The SDK's type has lists; Horizon sends null for an empty one.
      invokeHostFunctionDetails: fits<
        Of<typeof contract.invokeHostFunctionDetails>,
        Except<
          Details<Horizon.HorizonApi.InvokeHostFunctionOperationResponse>,
          {
            parameters: Horizon.HorizonApi.InvokeHostFunctionOperationResponse['parameters'] | null;
            asset_balance_changes:
              | Except<Horizon.HorizonApi.BalanceChange, { from?: string; to?: string }>[]
              | null;
          }
        >
      >(),
      manageDataDetails: fits<
        Of<typeof details.manageDataDetails>,
        Details<Horizon.HorizonApi.ManageDataOperationResponse>
      >(),
      // The SDK's type has an id, which Horizon sends only for manage-offer operations.
      passiveOfferDetails: fits<
        Of<typeof offer.passiveOfferDetails>,
        Except<Omit<Details<Horizon.HorizonApi.PassiveOfferOperationResponse>, 'offer_id'>, Price>
      >(),
      paymentDetails: fits<
        Of<typeof payment.paymentDetails>,
        Details<Horizon.HorizonApi.PaymentOperationResponse>
      >(),
      poolDepositDetails: fits<
        Of<typeof details.poolDepositDetails>,
        Except<
          Details<Horizon.HorizonApi.DepositLiquidityOperationResponse>,
          { reserves_max: Reserves; reserves_deposited: Reserves }
        >
      >(),
      poolWithdrawDetails: fits<
        Of<typeof details.poolWithdrawDetails>,
        Except<
          Details<Horizon.HorizonApi.WithdrawLiquidityOperationResponse>,
          { reserves_min: Reserves; reserves_received: Reserves }
        >
      >(),
      revokeSponsorshipDetails: fits<
        Of<typeof details.revokeSponsorshipDetails>,
        Details<Horizon.HorizonApi.RevokeSponsorshipOperationResponse>
      >(),
      sellOfferDetails: fits<
        Of<typeof offer.sellOfferDetails>,
        Except<Details<Horizon.HorizonApi.ManageOfferOperationResponse>, Price>
      >(),
      setOptionsDetails: fits<
        Of<typeof details.setOptionsDetails>,
        Except<Details<Horizon.HorizonApi.SetOptionsOperationResponse>, AccountFlags>
      >(),
      setTrustLineFlagsDetails: fits<
        Of<typeof trust.setTrustLineFlagsDetails>,
        Except<
          Details<Horizon.HorizonApi.SetTrustLineFlagsOperationResponse>,
          AnyAsset & { set_flags?: number[]; clear_flags?: number[] }
        >
      >(),
      strictReceiveDetails: fits<
        Of<typeof payment.strictReceiveDetails>,
        Except<Details<Horizon.HorizonApi.PathPaymentOperationResponse>, Path>
      >(),
      strictSendDetails: fits<
        Of<typeof payment.strictSendDetails>,
        Except<Details<Horizon.HorizonApi.PathPaymentStrictSendOperationResponse>, Path>
      >(),
    };
    const written = [contract, details, offer, payment, trust]
      .flatMap(Object.keys)
      .filter((name) => name.endsWith('Details') && name !== 'operationDetails');
    assert.deepEqual(Object.keys(compared).sort(), written.sort());
  });
});
