import { xdr } from '@stellar/stellar-sdk';

/** The validator that signs the ledgers of this network. */
export interface Validator {
  readonly publicKey: xdr.PublicKey;
  sign(message: Uint8Array): Uint8Array;
}

/**
 * What a network of one validator agrees on for a ledger, signed as on every Stellar network
 * (stellar-core `HerderImpl::makeStellarValue`).
 */
export function ledgerValue(
  networkId: Uint8Array,
  txSetHash: Uint8Array,
  closeTime: bigint,
  validator: Validator,
  upgrades: readonly xdr.LedgerUpgrade[] = [],
): xdr.StellarValue {
  const signed = Buffer.alloc(4 + 32 + 8);
  signed.writeInt32BE(xdr.EnvelopeType.envelopeTypeScpvalue.value, 0);
  signed.set(txSetHash, 4);
  signed.writeBigUInt64BE(closeTime, 36);
  return new xdr.StellarValue({
    txSetHash,
    closeTime,
    upgrades: upgrades.map((upgrade) => new xdr.UpgradeType(upgrade.toXdr())),
    ext: xdr.StellarValueExt.stellarValueSigned(
      new xdr.LedgerCloseValueSignature({
        nodeId: validator.publicKey,
        signature: validator.sign(Buffer.concat([networkId, signed])),
      }),
    ),
  });
}
