import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  type EntryParts,
  invocation,
  PAYER,
  paymentEnvelope,
  SELLER,
  STRANGER,
  USDC,
} from '../../../test/support/payment.ts';
import type { SettlementHash } from '../settlementHash.ts';
import { instanceKey, toScAddress } from '../stellar/index.ts';
import { type FateReader, readFate, type SignedTransfer } from './readFate.ts';

const SOUGHT: SignedTransfer = {
  ...{ asset: USDC, from: PAYER.address, to: SELLER.address, amount: 100_000n },
  ...{ nonce: 42n, expirationLedger: 200, firstLedger: 100 },
};

/** A transaction of the history, with the authorization that it carries. */
interface Sent {
  readonly ledger: number;
  readonly entry?: EntryParts;
  readonly failed?: boolean;
  /** The server lists its event and does not have it any more. */
  readonly gone?: boolean;
}

interface History {
  readonly latestLedger: number;
  /** Ledger in which the nonce was used, while its entry exists. */
  readonly usedIn?: number;
  /** First ledger that the server still has. */
  readonly oldest?: number;
  readonly transactions?: readonly Sent[];
  /** The asset is the contract of a token, and not of a Stellar asset. */
  readonly token?: boolean;
}

const hashOf = (at: number) => at.toString(16).padStart(64, '0') as SettlementHash;

/** The instance of the asset's contract, as the ledger has it. */
function instanceData(token: boolean): string {
  const executable = token
    ? xdr.ContractExecutable.contractExecutableWasm(new Uint8Array(32))
    : xdr.ContractExecutable.contractExecutableStellarAsset();
  return xdr.LedgerEntryData.contractData(
    new xdr.ContractDataEntry({
      ext: xdr.ExtensionPoint.v0(),
      contract: toScAddress(USDC),
      key: xdr.ScVal.scvLedgerKeyContractInstance(),
      durability: xdr.ContractDataDurability.persistent,
      val: xdr.ScVal.scvContractInstance(new xdr.ScContractInstance({ executable, storage: null })),
    }),
  ).toXdr('base64');
}

/** A server with this history. */
function serverWith(history: History): FateReader {
  const { latestLedger, usedIn, oldest = 1, transactions = [], token = false } = history;
  return {
    async entries([nonceKey = '']) {
      const used = { key: nonceKey, data: '', lastModifiedLedger: usedIn };
      const instance = {
        key: instanceKey(USDC).toXdr('base64'),
        data: instanceData(token),
        lastModifiedLedger: 1,
      };
      return { latestLedger, entries: usedIn === undefined ? [instance] : [used, instance] };
    },
    async movements(_movement, { start, end, limit }) {
      if (end < oldest) return undefined;
      const hashes = transactions.flatMap(({ ledger }, at) =>
        ledger >= Math.max(start, oldest) && ledger <= end ? [hashOf(at)] : [],
      );
      return { hashes: hashes.slice(0, limit), searchedFrom: Math.max(start, oldest) };
    },
    async transaction(hash) {
      const sent = transactions[Number.parseInt(hash, 16)];
      if (sent === undefined || sent.gone) return undefined;
      const entry = { expirationLedger: 200, ...sent.entry };
      const envelope = paymentEnvelope({ entries: [entry] });
      return { hash, ledger: sent.ledger, successful: !sent.failed, envelope };
    },
  };
}

const fate = (history: History) => readFate(SOUGHT, serverWith(history));
const PAID = { state: 'paid', hash: hashOf(0), ledger: 150 };

describe('The fate of an authorization, from the ledger', () => {
  it('open: unused, and a later ledger can include it', async () => {
    assert.deepEqual(await fate({ latestLedger: 150 }), { state: 'open', until: 200 });
  });

  it('open although a transaction with it failed: that uses no nonce', async () => {
    const transactions = [{ ledger: 140, failed: true }];
    assert.deepEqual(await fate({ latestLedger: 150, transactions }), {
      state: 'open',
      until: 200,
    });
  });

  it('paid by anyone who submitted it: the transaction that used the nonce carries the same transfer', async () => {
    const found = await fate({ latestLedger: 151, usedIn: 150, transactions: [{ ledger: 150 }] });
    assert.deepEqual(found, { ...PAID, evidence: 'nonce' });
  });

  it('paid after its expiration, when the nonce’s entry is gone: found by the payer’s movements', async () => {
    const found = await fate({ latestLedger: 9_000, transactions: [{ ledger: 150 }] });
    assert.deepEqual(found, { ...PAID, evidence: 'movement' });
  });

  it('void: unused in its last ledger, or in no ledger of a history that covers its whole life', async () => {
    assert.deepEqual(await fate({ latestLedger: 200 }), {
      state: 'void',
      evidence: 'unused_at_expiration',
    });
    const others = [
      { ledger: 150, entry: { nonce: 43n } },
      { ledger: 160, failed: true },
    ];
    assert.deepEqual(await fate({ latestLedger: 9_000, transactions: others }), {
      state: 'void',
      evidence: 'searched',
    });
  });

  it('another call with the nonce voids it only if the ledger remembers that until it expires', async () => {
    const other = { invocation: invocation({ to: toScAddress(STRANGER.address) }) };
    const after = (expirationLedger: number) =>
      fate({
        ...{ latestLedger: 150, usedIn: 140 },
        transactions: [{ ledger: 140, entry: { ...other, expirationLedger } }],
      });
    assert.deepEqual(await after(200), { state: 'void', evidence: 'nonce_used_otherwise' });
    assert.deepEqual(await after(180), { state: 'open', until: 200 });
  });

  it('unknown, and never void: the history starts too late, a transaction is gone, or the token may be silent', async () => {
    const because = async (history: History) => {
      const found = await fate(history);
      return found.state === 'unknown' ? found.because : found.state;
    };
    assert.equal(await because({ latestLedger: 9_000, oldest: 120 }), 'history_too_short');
    const gone = [{ ledger: 150, gone: true }];
    assert.equal(await because({ latestLedger: 9_000, transactions: gone }), 'unreadable');
    assert.equal(await because({ latestLedger: 9_000, token: true }), 'token_may_be_silent');
    assert.equal(await because({ latestLedger: 151, usedIn: 150 }), 'user_of_nonce_not_found');
    const many = Array.from({ length: 400 }, () => ({ ledger: 150, entry: { nonce: 43n } }));
    assert.equal(await because({ latestLedger: 9_000, transactions: many }), 'too_many_movements');
  });
});
