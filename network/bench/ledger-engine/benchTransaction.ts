import { xdr } from '@stellar/stellar-sdk';
import { type LocalKey, networkIdOf } from '../../src/genesis/index.ts';
import { ParsedTransaction } from '../../src/transaction/index.ts';

export const NETWORK_ID = networkIdOf('Test SDF Network ; September 2015');
const FEE_PER_OPERATION = 100;

/** A sending account, and its last sequence number. */
export class Sender {
  readonly key: LocalKey;
  #seqNum = 0n;

  constructor(key: LocalKey) {
    this.key = key;
  }

  get id(): xdr.PublicKey {
    return this.key.publicKey;
  }

  get muxed(): xdr.MuxedAccount {
    return xdr.MuxedAccount.keyTypeEd25519(this.id.ed25519);
  }

  /** Its ledger entry, before it sent anything. @param balance stroops */
  account(balance: bigint, numSubEntries = 0): xdr.LedgerEntryData {
    return plainAccount(this.id, balance, numSubEntries);
  }

  trustline(asset: xdr.AssetCreditAlphanum4, balance: bigint): xdr.LedgerEntryData {
    return xdr.LedgerEntryData.trustline(
      new xdr.TrustLineEntry({
        accountId: this.id,
        asset: xdr.TrustLineAsset.assetTypeCreditAlphanum4(asset.alphaNum4),
        balance,
        limit: 2n ** 63n - 1n,
        flags: xdr.TrustLineFlags.authorizedFlag.value,
        ext: xdr.TrustLineEntryExt.v0(),
      }),
    );
  }

  /** The next transaction with these operations, signed, in its wire format. */
  sign(bodies: readonly xdr.OperationBody[], soroban?: xdr.SorobanTransactionData): Uint8Array {
    this.#seqNum += 1n;
    const tx = new xdr.Transaction({
      sourceAccount: this.muxed,
      fee: FEE_PER_OPERATION * bodies.length + Number(soroban?.resourceFee ?? 0n),
      seqNum: this.#seqNum,
      cond: xdr.Preconditions.precondNone(),
      memo: xdr.Memo.memoNone(),
      operations: bodies.map((body) => new xdr.Operation({ sourceAccount: null, body })),
      ext: soroban ? xdr.TransactionExt.sorobanData(soroban) : xdr.TransactionExt.v0(),
    });
    const { hash } = new ParsedTransaction(NETWORK_ID, envelopeOf(tx, []));
    return envelopeOf(tx, [this.key.decorate(hash)]).toXdr();
  }
}

/** An account's ledger entry. @param balance stroops */
export function plainAccount(
  accountId: xdr.PublicKey,
  balance: bigint,
  numSubEntries = 0,
): xdr.LedgerEntryData {
  return xdr.LedgerEntryData.account(
    new xdr.AccountEntry({
      accountId,
      balance,
      seqNum: 0n,
      numSubEntries,
      inflationDest: null,
      flags: 0,
      homeDomain: '',
      thresholds: Uint8Array.of(1, 0, 0, 0),
      signers: [],
      ext: xdr.AccountEntryExt.v0(),
    }),
  );
}

/** Pays lumens. @param amount stroops */
export function payment(to: Sender, amount: bigint): xdr.OperationBody {
  return xdr.OperationBody.payment(
    new xdr.PaymentOp({ destination: to.muxed, asset: xdr.Asset.assetTypeNative(), amount }),
  );
}

function envelopeOf(
  tx: xdr.Transaction,
  signatures: xdr.DecoratedSignature[],
): xdr.TransactionEnvelope {
  return xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx, signatures }));
}
