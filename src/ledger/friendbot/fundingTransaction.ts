import { xdr } from '@stellar/stellar-sdk';
import type { LocalKey } from '../genesis/index.ts';
import { ParsedTransaction } from '../transaction/index.ts';

/** What testnet's friendbot gives, in stroops. */
const STARTING_BALANCE = 100_000_000_000n;

/** A signed transaction that creates accounts, one operation each. */
export function fundingTransaction(
  networkId: Uint8Array,
  friendbot: LocalKey,
  sequence: bigint,
  baseFee: number,
  accounts: readonly xdr.PublicKey[],
): xdr.TransactionEnvelope {
  const tx = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(friendbot.publicKey.ed25519.value),
    fee: baseFee * accounts.length,
    seqNum: sequence,
    cond: xdr.Preconditions.precondNone(),
    memo: xdr.Memo.memoNone(),
    operations: accounts.map(
      (destination) =>
        new xdr.Operation({
          sourceAccount: null,
          body: xdr.OperationBody.createAccount(
            new xdr.CreateAccountOp({ destination, startingBalance: STARTING_BALANCE }),
          ),
        }),
    ),
    ext: xdr.TransactionExt.v0(),
  });
  const unsigned = envelopeOf(tx, []);
  const { hash } = new ParsedTransaction(networkId, unsigned);
  return envelopeOf(tx, [friendbot.decorate(hash)]);
}

function envelopeOf(
  tx: xdr.Transaction,
  signatures: xdr.DecoratedSignature[],
): xdr.TransactionEnvelope {
  return xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx, signatures }));
}
