import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FeeBumpTransaction, Keypair, Networks, TransactionBuilder } from '@stellar/stellar-sdk';
import * as xdr from '@stellar/stellar-sdk/xdr';
import fc from 'fast-check';
import { testKey } from '../../../test/support/payer.ts';
import { paymentEnvelope } from '../../../test/support/payment.ts';
import { resources } from '../../../test/support/resources.ts';
import { decodePaymentEnvelope } from '../../protocol/stellar/index.ts';
import {
  feeBumpedEnvelope,
  inclusionFeeWithin,
  innerTransaction,
  ledgerBounded,
  totalBid,
  unsignedEnvelope,
} from './settlementTransaction.ts';
import { openSigner, type Signer } from './signer.ts';

function signer(name: string): Signer {
  const opened = openSigner(testKey(name).secret);
  assert.ok(opened !== undefined);
  return opened;
}

const channel = signer('channel');
const sponsor = signer('sponsor');
const decoded = decodePaymentEnvelope(paymentEnvelope());
assert.ok(decoded.ok);
const inner = innerTransaction({
  channel,
  sequence: 77n,
  operation: decoded.envelope.operation.toXdr(),
  resources: resources(60_000n).toXdr(),
  resourceFee: 60_000n,
  inclusionFee: 100n,
  lastLedger: 1_050,
});

describe('A settlement is fee-bumped', () => {
  const signed = feeBumpedEnvelope(inner, channel, sponsor, totalBid(60_000n, 100n));
  const read = TransactionBuilder.fromXDR(signed.envelope, Networks.TESTNET);
  assert.ok(read instanceof FeeBumpTransaction);

  it('[spec: What the service does/3] [spec: Settlement path/3] a channel is the source, the sponsor pays the fee', () => {
    assert.equal(read.innerTransaction.source, channel.address);
    assert.equal(read.feeSource, sponsor.address);
    assert.equal(read.innerTransaction.sequence, '77');
  });

  it('bids the resource fee and an inclusion fee for each of two operations', () => {
    assert.equal(read.fee, '60200');
    assert.equal(read.innerTransaction.fee, '60100');
  });

  it('is signed by both, over the hashes the Stellar SDK computes', () => {
    assert.equal(signed.hash, Buffer.from(read.hash()).toString('hex'));
    const verifies = (address: string, hash: Uint8Array, signatures: xdr.DecoratedSignature[]) => {
      const [one, ...others] = signatures;
      assert.ok(one !== undefined && others.length === 0);
      const keypair = Keypair.fromPublicKey(address);
      assert.deepEqual(Buffer.from(one.hint.value), Buffer.from(keypair.signatureHint()));
      return keypair.verify(Buffer.from(hash), Buffer.from(one.signature.value));
    };
    assert.ok(verifies(sponsor.address, read.hash(), read.signatures));
    const { innerTransaction: within } = read;
    assert.ok(verifies(channel.address, within.hash(), within.signatures));
  });

  it('[spec: Upto wire shape/Rebuilt] keeps only the payer’s operation from its envelope', () => {
    const bytes = xdr.Transaction.fromXdr(inner);
    const [operation, ...others] = bytes.operations;
    assert.ok(operation !== undefined && others.length === 0);
    assert.ok(operation.equals(decoded.envelope.operation));
    assert.equal(bytes.memo.type, 'memoNone');
  });

  it('has the same bytes as the Stellar SDK’s transaction', () => {
    const { operation } = decoded.envelope;
    const int64 = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(int64, fc.nat(2 ** 31 - 1), fc.nat(1_000_000), (sequence, fee, lastLedger) => {
        const data = resources(BigInt(fee));
        const bytes = innerTransaction({
          channel,
          sequence,
          operation: operation.toXdr(),
          resources: data.toXdr(),
          resourceFee: BigInt(fee),
          inclusionFee: 100n,
          lastLedger,
        });
        const expected = new xdr.Transaction({
          sourceAccount: xdr.MuxedAccount.keyTypeEd25519(channel.publicKey),
          fee: fee + 100,
          seqNum: sequence,
          cond: ledgerBounded(lastLedger),
          memo: xdr.Memo.memoNone(),
          operations: [operation],
          ext: xdr.TransactionExt.sorobanData(data),
        });
        assert.deepEqual(Buffer.from(bytes), Buffer.from(expected.toXdr()));
      }),
    );
  });

  it('can be included up to the last ledger of the authorization and in none after it', () => {
    const bounds = read.innerTransaction.ledgerBounds;
    assert.deepEqual({ ...bounds }, { minLedger: 0, maxLedger: 1_051 });
  });

  it('is simulated without signatures', () => {
    const envelope = xdr.TransactionEnvelope.fromXdr(unsignedEnvelope(inner), 'base64');
    assert.equal(envelope.type === 'envelopeTypeTx' && envelope.v1.signatures.length, 0);
  });
});

describe('The bid for inclusion follows the network, within the ceiling', () => {
  const bid = (others: bigint, resourceFee = 60_000n) =>
    inclusionFeeWithin({ least: 100n, others, ceiling: 500_000n, resourceFee });

  it('is what others pay, and never below the minimum', () => {
    assert.equal(bid(0n), 100n);
    assert.equal(bid(99n), 100n);
    assert.equal(bid(7_000n), 7_000n);
  });

  it('leaves the total bid under the ceiling', () => {
    assert.equal(bid(1_000_000n), 220_000n);
    assert.equal(totalBid(60_000n, bid(1_000_000n)), 500_000n);
    assert.equal(totalBid(60_001n, bid(1_000_000n, 60_001n)), 499_999n);
  });

  it('is the minimum if the ceiling leaves no room: verification has judged that bid', () => {
    assert.equal(bid(1_000_000n, 499_900n), 100n);
    assert.equal(bid(1_000_000n, 600_000n), 100n);
  });
});
