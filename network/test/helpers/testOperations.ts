import { xdr } from '@stellar/stellar-sdk';
import { muxedOfAccount } from '../../src/transaction/balances/index.ts';

const { OperationBody } = xdr;

/** Bodies of operations for tests, with the arguments that the tests vary. */

export function createAccountOp(
  destination: xdr.PublicKey,
  startingBalance: bigint,
): xdr.OperationBody {
  return OperationBody.createAccount(new xdr.CreateAccountOp({ destination, startingBalance }));
}

export function paymentOp(
  destination: xdr.PublicKey | xdr.MuxedAccount,
  asset: xdr.Asset,
  amount: bigint,
): xdr.OperationBody {
  return OperationBody.payment(
    new xdr.PaymentOp({ destination: addressOf(destination), asset, amount }),
  );
}

export function changeTrustOp(
  asset: xdr.Asset | xdr.LiquidityPoolParameters,
  limit: bigint,
): xdr.OperationBody {
  return OperationBody.changeTrust(new xdr.ChangeTrustOp({ line: changeAssetOf(asset), limit }));
}

export function setOptionsOp(
  options: Partial<ConstructorParameters<typeof xdr.SetOptionsOp>[0]>,
): xdr.OperationBody {
  return OperationBody.setOptions(
    new xdr.SetOptionsOp({
      inflationDest: null,
      clearFlags: null,
      setFlags: null,
      masterWeight: null,
      lowThreshold: null,
      medThreshold: null,
      highThreshold: null,
      homeDomain: null,
      signer: null,
      ...options,
    }),
  );
}

/** Adds, changes or (weight 0) removes a signer. */
export function signerOp(key: xdr.SignerKey, weight: number): xdr.OperationBody {
  return setOptionsOp({ signer: new xdr.Signer({ key, weight }) });
}

export function keySigner(account: xdr.PublicKey): xdr.SignerKey {
  return xdr.SignerKey.signerKeyTypeEd25519(account.ed25519);
}

export function mergeOp(destination: xdr.PublicKey | xdr.MuxedAccount): xdr.OperationBody {
  return OperationBody.accountMerge(addressOf(destination));
}

export function dataOp(name: string, value: string | null): xdr.OperationBody {
  return OperationBody.manageData(
    new xdr.ManageDataOp({
      dataName: name,
      dataValue: value === null ? null : new xdr.DataValue(Buffer.from(value)),
    }),
  );
}

export function bumpOp(bumpTo: bigint): xdr.OperationBody {
  return OperationBody.bumpSequence(new xdr.BumpSequenceOp({ bumpTo }));
}

export function beginOp(sponsoredId: xdr.PublicKey): xdr.OperationBody {
  return OperationBody.beginSponsoringFutureReserves(
    new xdr.BeginSponsoringFutureReservesOp({ sponsoredId }),
  );
}

export function endOp(): xdr.OperationBody {
  return OperationBody.endSponsoringFutureReserves();
}

export function revokeOp(key: xdr.LedgerKey): xdr.OperationBody {
  return OperationBody.revokeSponsorship(xdr.RevokeSponsorshipOp.revokeSponsorshipLedgerEntry(key));
}

export function revokeSignerOp(
  accountId: xdr.PublicKey,
  signerKey: xdr.SignerKey,
): xdr.OperationBody {
  return OperationBody.revokeSponsorship(
    xdr.RevokeSponsorshipOp.revokeSponsorshipSigner(
      new xdr.RevokeSponsorshipOpSigner({ accountId, signerKey }),
    ),
  );
}

/** Parameters of the pool of two assets, which have to be given in order. */
export function poolOf(
  assetA: xdr.Asset,
  assetB: xdr.Asset,
  fee = 30,
): xdr.LiquidityPoolParameters {
  return xdr.LiquidityPoolParameters.liquidityPoolConstantProduct(
    new xdr.LiquidityPoolConstantProductParameters({ assetA, assetB, fee }),
  );
}

function changeAssetOf(asset: xdr.Asset | xdr.LiquidityPoolParameters): xdr.ChangeTrustAsset {
  switch (asset.type) {
    case 'assetTypeNative':
      return xdr.ChangeTrustAsset.assetTypeNative();
    case 'assetTypeCreditAlphanum4':
      return xdr.ChangeTrustAsset.assetTypeCreditAlphanum4(asset.alphaNum4);
    case 'assetTypeCreditAlphanum12':
      return xdr.ChangeTrustAsset.assetTypeCreditAlphanum12(asset.alphaNum12);
    case 'liquidityPoolConstantProduct':
      return xdr.ChangeTrustAsset.assetTypePoolShare(asset);
  }
}

function addressOf(destination: xdr.PublicKey | xdr.MuxedAccount): xdr.MuxedAccount {
  return xdr.MuxedAccount.is(destination) ? destination : muxedOfAccount(destination);
}
