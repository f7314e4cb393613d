import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { PAYER, paymentEnvelope, SELLER, STRANGER, USDC } from '../../../test/support/payment.ts';
import { toScAddress } from '../../protocol/stellar/index.ts';
import { type PaymentOutcome, paymentOutcome } from './paymentOutcome.ts';
import type { SentPayment } from './sentPayment.ts';
import type { SorobanRpc } from './sorobanRpc.ts';

const PAYMENT: SentPayment = {
  ...{ payer: PAYER.address, nonce: 42n, asset: USDC, payTo: SELLER.address, amount: 100_000n },
  ...{ signedLedger: 100, expirationLedger: 200 },
};

/** The temporary entry that a used nonce leaves (CAP-46-11). */
const NONCE_KEY = xdr.LedgerKey.contractData(
  new xdr.LedgerKeyContractData({
    contract: toScAddress(PAYER.address),
    key: xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce: 42n })),
    durability: xdr.ContractDataDurability.temporary,
  }),
).toXdr('base64');

/** What a Stellar RPC has: entries, and transactions with their transfers. */
interface History {
  readonly latestLedger: number;
  /** Ledger in which the payment's nonce was used, while its entry exists. */
  readonly usedIn?: number;
  /** First ledger that it still has. */
  readonly oldest?: number;
  readonly transfers?: readonly { readonly ledger: number; readonly envelope?: string }[];
}

/** An RPC with this history, and the ranges that it was searched for transfers in. */
function rpcWith({ latestLedger, usedIn, oldest = 1, transfers = [] }: History) {
  const searched: [number, number, number][] = [];
  const unused = () => Promise.reject(new Error('not needed to read an outcome'));
  const rpc: SorobanRpc = {
    ...{ latestLedger: unused, time: unused, simulate: unused },
    async entries(keys) {
      assert.deepEqual(keys, [NONCE_KEY]);
      const entry = usedIn === undefined ? [] : [{ key: '', data: '', lastModifiedLedger: usedIn }];
      return { latestLedger, entries: entry };
    },
    async transfers(between, { start, end, limit }) {
      assert.deepEqual(between, { asset: USDC, from: PAYER.address, to: SELLER.address });
      searched.push([start, end, limit]);
      if (start < oldest) return undefined;
      return transfers
        .map(({ ledger }, at) => ({ ledger, transaction: `hash ${at}` }))
        .filter(({ ledger }) => ledger >= start && ledger <= end)
        .slice(0, limit);
    },
    async envelope(hash) {
      return transfers[Number(hash.slice('hash '.length))]?.envelope;
    },
  };
  return { rpc, searched };
}

async function outcomeOf(history: History, payment: Partial<SentPayment> = {}) {
  return paymentOutcome({ ...PAYMENT, ...payment }, rpcWith(history).rpc);
}

const SETTLEMENT = paymentEnvelope({ entries: [{ nonce: 42n }] });
const OTHER = paymentEnvelope({ entries: [{ nonce: 43n }] });
const OF_ANOTHER_PAYER = paymentEnvelope({ entries: [{ nonce: 42n, by: STRANGER.address }] });
const UNKNOWN: PaymentOutcome = { moneyMoved: 'unknown' };

/** The payment's operation in a fee bump, as a facilitator submits it. */
function bumped(envelope: string): string {
  const inner = xdr.TransactionEnvelope.fromXdr(envelope, 'base64');
  if (inner.type !== 'envelopeTypeTx') throw new TypeError(inner.type);
  const account = xdr.MuxedAccount.keyTypeEd25519(new Uint8Array(32));
  const tx = new xdr.FeeBumpTransaction({
    ...{ feeSource: account, fee: 200n },
    innerTx: xdr.FeeBumpTransactionInnerTx.envelopeTypeTx(inner.v1),
    ext: xdr.FeeBumpTransactionExt.v0(),
  });
  return xdr.TransactionEnvelope.envelopeTypeTxFeeBump(
    new xdr.FeeBumpTransactionEnvelope({ tx, signatures: [] }),
  ).toXdr('base64');
}

describe('While the nonce has an entry, the money has moved', () => {
  it('and the transaction is found in that ledger', async () => {
    const transfers = [
      { ledger: 150, envelope: OTHER },
      { ledger: 150, envelope: bumped(SETTLEMENT) },
    ];
    const { rpc, searched } = rpcWith({ latestLedger: 160, usedIn: 150, transfers });
    const outcome = await paymentOutcome(PAYMENT, rpc);
    assert.deepEqual(outcome, { moneyMoved: 'yes', transaction: 'hash 1' });
    assert.deepEqual(searched, [[150, 150, 300]]);
  });

  it('even if the history does not have the transaction any more', async () => {
    const moved = { moneyMoved: 'yes', transaction: '' };
    assert.deepEqual(await outcomeOf({ latestLedger: 160, usedIn: 150, oldest: 155 }), moved);
    assert.deepEqual(await outcomeOf({ latestLedger: 160, usedIn: 150 }), moved);
  });
});

describe('Without an entry of the nonce', () => {
  it('nothing is known before the last ledger in which it can settle', async () => {
    for (const latestLedger of [100, 199]) {
      assert.deepEqual(await outcomeOf({ latestLedger }), UNKNOWN);
    }
  });

  it('no money has moved in that ledger', async () => {
    const { rpc, searched } = rpcWith({ latestLedger: 200 });
    assert.deepEqual(await paymentOutcome(PAYMENT, rpc), { moneyMoved: 'no' });
    assert.deepEqual(searched, []);
  });

  it('a later ledger needs the history: the transfer that used the nonce', async () => {
    const transfers = [
      { ledger: 120, envelope: OTHER },
      { ledger: 130, envelope: OF_ANOTHER_PAYER },
      { ledger: 140, envelope: SETTLEMENT },
    ];
    assert.deepEqual(await outcomeOf({ latestLedger: 300, transfers }), {
      ...{ moneyMoved: 'yes', transaction: 'hash 2' },
    });
  });

  it('no transfer with this nonce of this payer: no money has moved', async () => {
    const transfers = [
      { ledger: 120, envelope: OTHER },
      { ledger: 130, envelope: OF_ANOTHER_PAYER },
    ];
    assert.deepEqual(await outcomeOf({ latestLedger: 300, transfers }), { moneyMoved: 'no' });
  });

  it('a history that starts later, or without one of the transactions, proves nothing', async () => {
    assert.deepEqual(await outcomeOf({ latestLedger: 300, oldest: 101 }), UNKNOWN);
    const transfers = [{ ledger: 120 }];
    assert.deepEqual(await outcomeOf({ latestLedger: 300, transfers }), UNKNOWN);
  });

  it('long periods are searched piece by piece, without gap or overlap', async () => {
    const { rpc, searched } = rpcWith({ latestLedger: 30_000 });
    const long = { ...PAYMENT, signedLedger: 1_000, expirationLedger: 12_345 };
    assert.deepEqual(await paymentOutcome(long, rpc), { moneyMoved: 'no' });
    assert.deepEqual(searched, [
      [1_000, 5_999, 300],
      [6_000, 10_999, 300],
      [11_000, 12_345, 300],
    ]);
    const exact = rpcWith({ latestLedger: 30_000 });
    await paymentOutcome({ ...long, expirationLedger: 6_000 }, exact.rpc);
    assert.deepEqual(exact.searched.at(-1), [6_000, 6_000, 300]);
  });

  it('more than 299 transfers are not examined', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, () => ({ ledger: 150, envelope: OTHER }));
    assert.deepEqual(await outcomeOf({ latestLedger: 300, transfers: many(300) }), UNKNOWN);
    assert.deepEqual(await outcomeOf({ latestLedger: 300, transfers: many(299) }), {
      moneyMoved: 'no',
    });
  });

  it('what was examined in one piece counts for the next', async () => {
    const transfers = [
      ...Array.from({ length: 200 }, () => ({ ledger: 1_500, envelope: OTHER })),
      ...Array.from({ length: 100 }, () => ({ ledger: 7_000, envelope: OTHER })),
    ];
    const { rpc, searched } = rpcWith({ latestLedger: 30_000, transfers });
    const long = { ...PAYMENT, signedLedger: 1_000, expirationLedger: 12_345 };
    assert.deepEqual(await paymentOutcome(long, rpc), UNKNOWN);
    assert.deepEqual(searched, [
      [1_000, 5_999, 300],
      [6_000, 10_999, 100],
    ]);
  });
});
