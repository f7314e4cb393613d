import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress } from '../../../common/address.ts';
import {
  OTHER_ASSET,
  PAYER,
  type PaymentParts,
  paymentEnvelope,
  SELLER,
  STRANGER,
  USDC,
} from '../../../test/support/payment.ts';
import { parseSettlementHash, type SettlementHash } from '../settlementHash.ts';
import { instanceKey, toScAddress } from '../stellar/index.ts';
import type { AuthorizationFate } from './fate.ts';
import type { SignedTransfer } from './movements.ts';
import { type FateReader, readFate } from './readFate.ts';

const NONCE = 42n;
const TRANSFER: SignedTransfer = {
  ...{ asset: USDC, from: PAYER.address, to: SELLER.address, amount: 100_000n, nonce: NONCE },
  ...{ expirationLedger: 200, firstLedger: 100 },
};

/** The temporary entry that a used nonce leaves (CAP-46-11). */
const NONCE_KEY = xdr.LedgerKey.contractData(
  new xdr.LedgerKeyContractData({
    contract: toScAddress(PAYER.address),
    key: xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce: NONCE })),
    durability: xdr.ContractDataDurability.temporary,
  }),
).toXdr('base64');

/** The instance of a contract: that of a Stellar asset, or of other code. */
function instance(contract: ContractAddress, isAsset: boolean): string {
  return xdr.LedgerEntryData.contractData(
    new xdr.ContractDataEntry({
      ext: xdr.ExtensionPoint.v0(),
      contract: toScAddress(contract),
      key: xdr.ScVal.scvLedgerKeyContractInstance(),
      durability: xdr.ContractDataDurability.persistent,
      val: xdr.ScVal.scvContractInstance(
        new xdr.ScContractInstance({
          executable: isAsset
            ? xdr.ContractExecutable.contractExecutableStellarAsset()
            : xdr.ContractExecutable.contractExecutableWasm(new Uint8Array(32)),
          storage: null,
        }),
      ),
    }),
  ).toXdr('base64');
}

/** A transaction with a movement of the asset from payer to recipient. */
interface Moved {
  readonly ledger: number;
  /** `undefined`: the server does not have the transaction any more. */
  readonly envelope?: string | undefined;
  readonly successful?: boolean;
  /** Whether it moved another asset, or to another recipient. */
  readonly elsewhere?: boolean;
}

const ANY = [undefined, PAYER.address, undefined];

interface History {
  readonly latestLedger: number;
  /** Ledger in which the nonce was used, while its entry exists. */
  readonly usedIn?: number;
  /** The server does not say when the entry of the nonce was written. */
  readonly undated?: boolean;
  /** First ledger whose events the server has. */
  readonly oldest?: number;
  /** Whether the server searches the part of a range that it has. */
  readonly partial?: boolean;
  readonly moved?: readonly Moved[];
  /** What the token is; `gone`: its instance cannot be read. */
  readonly token?: 'asset' | 'contract' | 'gone';
}

const hashOf = (at: number): SettlementHash => {
  const hash = parseSettlementHash(at.toString(16).padStart(64, '0'));
  assert.ok(hash);
  return hash;
};

/** A ledger in memory, and the ranges that were searched. */
function ledgerWith(history: History) {
  const { latestLedger, usedIn, oldest = 1, moved = [], token = 'asset' } = history;
  const searched: [start: number, end: number, limit: number][] = [];
  const reader: FateReader = {
    async entries(keys) {
      const assetKey = instanceKey(USDC).toXdr('base64');
      assert.deepEqual(keys, [NONCE_KEY, assetKey]);
      const lastModifiedLedger = history.undated ? undefined : usedIn;
      const nonce = { key: NONCE_KEY, data: '', lastModifiedLedger };
      const code = { key: assetKey, data: instance(USDC, token === 'asset') };
      return {
        latestLedger,
        entries: [
          ...(usedIn === undefined ? [] : [nonce]),
          ...(token === 'gone' ? [] : [{ ...code, lastModifiedLedger: 3 }]),
        ],
      };
    },
    async movements({ asset, from, to }, { start, end, limit }) {
      // Any other movement of the payer is asked for only in the ledger that used the nonce.
      const isAny = asset === undefined && to === undefined && start === usedIn && end === usedIn;
      assert.deepEqual([asset, from, to], isAny ? ANY : [USDC, PAYER.address, SELLER.address]);
      searched.push([start, end, limit]);
      if (start < oldest && !history.partial) return undefined;
      const searchedFrom = Math.max(start, oldest);
      const hashes = moved
        .map(({ ledger, elsewhere }, at) => ({ ledger, elsewhere, hash: hashOf(at) }))
        .filter(({ ledger }) => ledger >= searchedFrom && ledger <= end)
        .filter(({ elsewhere }) => isAny || elsewhere !== true)
        .map(({ hash }) => hash);
      return { hashes: hashes.slice(0, limit), searchedFrom };
    },
    async transaction(hash) {
      const { ledger, envelope, successful = true } = moved[Number(`0x${hash}`)] ?? {};
      if (ledger === undefined || envelope === undefined) return undefined;
      return { hash, ledger, successful, envelope };
    },
  };
  return { reader, searched };
}

function fateOf(history: History, sought: Partial<SignedTransfer> = {}) {
  return readFate({ ...TRANSFER, ...sought }, ledgerWith(history).reader);
}

const OPEN: AuthorizationFate = { state: 'open', until: 200 };
const SEARCHED: AuthorizationFate = { state: 'void', evidence: 'searched' };
const USED_OTHERWISE: AuthorizationFate = { state: 'void', evidence: 'nonce_used_otherwise' };
const unknown = (because: string) => ({ state: 'unknown', because });
const paid = (evidence: string, at: number, ledger: number) => ({
  ...{ state: 'paid', hash: hashOf(at), ledger, evidence },
});

const carrying = (parts: PaymentParts & { readonly expirationLedger?: number } = {}) => {
  const { expirationLedger = 200, ...rest } = parts;
  return paymentEnvelope({ entries: [{ nonce: NONCE, expirationLedger }], ...rest });
};
const PAYMENT = carrying();
const OTHER_PAYMENT = paymentEnvelope({ entries: [{ nonce: 43n }] });
const OF_ANOTHER_PAYER = paymentEnvelope({ entries: [{ nonce: NONCE, by: STRANGER.address }] });

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

describe('A network that started again', () => {
  it('proves nothing of a payment that was signed in a later ledger: it is not open', async () => {
    for (const latestLedger of [2, 79]) {
      assert.deepEqual(await fateOf({ latestLedger }), unknown('network_reset'));
    }
  });

  it('differs from a server that is a little behind', async () => {
    for (const latestLedger of [80, 99, 100])
      assert.deepEqual(await fateOf({ latestLedger }), OPEN);
  });

  it('has the payment if it used the nonce there', async () => {
    const moved = [{ ledger: 40, envelope: PAYMENT }];
    assert.deepEqual(await fateOf({ latestLedger: 50, usedIn: 40, moved }), paid('nonce', 0, 40));
  });

  it('is not recognized without the ledger in which the payment was signed', async () => {
    assert.deepEqual(await fateOf({ latestLedger: 2 }, { firstLedger: undefined }), OPEN);
  });
});

describe('While the ledger has a record of the nonce', () => {
  it('the authorization is paid if the transaction that used it carries the same transfer', async () => {
    const moved = [
      { ledger: 150, envelope: OTHER_PAYMENT },
      { ledger: 150, envelope: bumped(PAYMENT) },
    ];
    const { reader, searched } = ledgerWith({ latestLedger: 160, usedIn: 150, moved });
    assert.deepEqual(await readFate(TRANSFER, reader), paid('nonce', 1, 150));
    assert.deepEqual(searched, [[150, 150, 300]]);
  });

  it('it is paid whichever of two signatures with that nonce the transaction carries', async () => {
    const moved = [{ ledger: 150, envelope: carrying({ expirationLedger: 190 }) }];
    assert.deepEqual(
      await fateOf({ latestLedger: 160, usedIn: 150, moved }),
      paid('nonce', 0, 150),
    );
  });

  it('a record proves nothing if the transaction that used it is not found', async () => {
    const notFound = unknown('user_of_nonce_not_found');
    assert.deepEqual(await fateOf({ latestLedger: 160, usedIn: 150 }), notFound);
    assert.deepEqual(await fateOf({ latestLedger: 160, usedIn: 150, oldest: 155 }), notFound);
    const gone = [{ ledger: 150 }];
    const unreadable = unknown('unreadable');
    assert.deepEqual(await fateOf({ latestLedger: 160, usedIn: 150, moved: gone }), unreadable);
  });

  it('a failed transaction used no nonce', async () => {
    const moved = [
      { ledger: 150, envelope: PAYMENT, successful: false },
      { ledger: 150, envelope: PAYMENT },
    ];
    assert.deepEqual(
      await fateOf({ latestLedger: 160, usedIn: 150, moved }),
      paid('nonce', 1, 150),
    );
  });

  it('without its date, all ledgers in which it can have paid are searched', async () => {
    const moved = [{ ledger: 120, envelope: PAYMENT }];
    const { reader, searched } = ledgerWith({
      ...{ latestLedger: 160, usedIn: 120, undated: true },
      moved,
    });
    assert.deepEqual(await readFate(TRANSFER, reader), paid('nonce', 0, 120));
    assert.deepEqual(searched, [[100, 160, 300]]);
  });

  for (const [what, parts] of [
    ['another amount', { amount: 100_001n }],
    ['another recipient', { to: toScAddress(STRANGER.address) }],
    ['another asset', { asset: OTHER_ASSET }],
    ['another function', { functionName: 'burn' }],
  ] as const) {
    it(`another call with ${what} makes it void if the ledger keeps that as long as this is valid`, async () => {
      for (const elsewhere of [false, true]) {
        const moved = [{ ledger: 150, envelope: carrying(parts), elsewhere }];
        assert.deepEqual(await fateOf({ latestLedger: 160, usedIn: 150, moved }), USED_OTHERWISE);
      }
    });
  }

  it('another call that expires earlier leaves it open', async () => {
    const moved = [{ ledger: 150, envelope: carrying({ amount: 1n, expirationLedger: 199 }) }];
    assert.deepEqual(await fateOf({ latestLedger: 160, usedIn: 150, moved }), OPEN);
  });

  it('another call that expires earlier makes it void if its record still exists in the last ledger', async () => {
    const moved = [{ ledger: 150, envelope: carrying({ amount: 1n, expirationLedger: 199 }) }];
    for (const latestLedger of [200, 250]) {
      assert.deepEqual(await fateOf({ latestLedger, usedIn: 150, moved }), USED_OTHERWISE);
    }
  });

  it('another call that expires earlier proves nothing if the record has no date: it can be of this payment', async () => {
    const moved = [{ ledger: 110, envelope: carrying({ amount: 1n, expirationLedger: 120 }) }];
    const history = { usedIn: 150, undated: true, moved };
    for (const latestLedger of [160, 250]) {
      const fate = await fateOf({ ...history, latestLedger });
      assert.deepEqual(fate, unknown('user_of_nonce_not_found'));
    }
  });

  it('a record that was written after it expired says nothing: an earlier one may be forgotten', async () => {
    const later = { ledger: 900, envelope: carrying({ amount: 1n, expirationLedger: 950 }) };
    const history = { latestLedger: 910, usedIn: 900 };
    const earlier = { ledger: 120, envelope: PAYMENT };
    assert.deepEqual(
      await fateOf({ ...history, moved: [earlier, later] }),
      paid('movement', 0, 120),
    );
    assert.deepEqual(await fateOf({ ...history, moved: [later] }), SEARCHED);
  });
});

describe('Without a record of the nonce', () => {
  it('the authorization is open before its last ledger, and nothing is searched', async () => {
    for (const latestLedger of [100, 199]) {
      const { reader, searched } = ledgerWith({ latestLedger });
      assert.deepEqual(await readFate(TRANSFER, reader), OPEN);
      assert.deepEqual(searched, []);
    }
  });

  it('it is void in its last ledger, because a used nonce would still have a record', async () => {
    const { reader, searched } = ledgerWith({ latestLedger: 200, token: 'gone' });
    const fate = await readFate(TRANSFER, reader);
    assert.deepEqual(fate, { state: 'void', evidence: 'unused_at_expiration' });
    assert.deepEqual(searched, []);
  });

  it('after that, it is paid if a transaction that moved the asset carries it', async () => {
    const moved = [
      { ledger: 120, envelope: OTHER_PAYMENT },
      { ledger: 130, envelope: OF_ANOTHER_PAYER },
      { ledger: 140, envelope: PAYMENT },
    ];
    assert.deepEqual(await fateOf({ latestLedger: 300, moved }), paid('movement', 2, 140));
  });

  it('it is void if none does, in the whole history in which it can have paid', async () => {
    const moved = [
      { ledger: 99, envelope: PAYMENT },
      { ledger: 120, envelope: OTHER_PAYMENT },
      { ledger: 130, envelope: OF_ANOTHER_PAYER },
      { ledger: 201, envelope: PAYMENT },
    ];
    assert.deepEqual(await fateOf({ latestLedger: 300, moved }), SEARCHED);
  });

  it('another call with its nonce does not end the search for the payment', async () => {
    const moved = [
      { ledger: 110, envelope: carrying({ amount: 1n, expirationLedger: 120 }) },
      { ledger: 150, envelope: PAYMENT },
    ];
    assert.deepEqual(await fateOf({ latestLedger: 300, moved }), paid('movement', 1, 150));
    const long = { firstLedger: 1_000, expirationLedger: 12_345 };
    const apart = [
      { ledger: 1_500, envelope: carrying({ expirationLedger: 12_345 }) },
      { ledger: 12_000, envelope: carrying({ amount: 1n, expirationLedger: 12_001 }) },
    ];
    assert.deepEqual(
      await fateOf({ latestLedger: 30_000, moved: apart }, long),
      paid('movement', 0, 1_500),
    );
  });

  it('after another call with its nonce it is void and never open, since it has expired', async () => {
    const short = [{ ledger: 110, envelope: carrying({ amount: 1n, expirationLedger: 120 }) }];
    assert.deepEqual(await fateOf({ latestLedger: 300, moved: short }), SEARCHED);
    const long = [{ ledger: 110, envelope: carrying({ amount: 1n, expirationLedger: 250 }) }];
    assert.deepEqual(await fateOf({ latestLedger: 300, moved: long }), USED_OTHERWISE);
    // Then the record also excludes every ledger that cannot be searched.
    const history = { latestLedger: 300, oldest: 105, partial: true };
    assert.deepEqual(await fateOf({ ...history, moved: long }), USED_OTHERWISE);
    assert.deepEqual(await fateOf({ ...history, moved: short }), unknown('history_too_short'));
  });

  it('a history that starts later proves nothing', async () => {
    const short = unknown('history_too_short');
    assert.deepEqual(await fateOf({ latestLedger: 300, oldest: 101 }), short);
    assert.deepEqual(await fateOf({ latestLedger: 300, oldest: 101, partial: true }), short);
    assert.deepEqual(await fateOf({ latestLedger: 300, oldest: 250, partial: true }), short);
    assert.deepEqual(await fateOf({ latestLedger: 300, oldest: 100 }), SEARCHED);
  });

  it('a history that starts later shows the payment if it has it', async () => {
    const moved = [{ ledger: 150, envelope: PAYMENT }];
    const history = { latestLedger: 300, oldest: 140, partial: true, moved };
    assert.deepEqual(await fateOf(history), paid('movement', 0, 150));
  });

  it('a transaction that cannot be read proves nothing', async () => {
    const moved = [{ ledger: 120 }, { ledger: 130, envelope: OTHER_PAYMENT }];
    assert.deepEqual(await fateOf({ latestLedger: 300, moved }), unknown('unreadable'));
    const both = [{ ledger: 120 }, { ledger: 130, envelope: PAYMENT }];
    assert.deepEqual(await fateOf({ latestLedger: 300, moved: both }), paid('movement', 1, 130));
  });

  it('the absence of an event proves nothing for a token that may pay without one', async () => {
    for (const token of ['contract', 'gone'] as const) {
      const silent = unknown('token_may_be_silent');
      assert.deepEqual(await fateOf({ latestLedger: 300, token }), silent);
      const moved = [{ ledger: 140, envelope: PAYMENT }];
      assert.deepEqual(await fateOf({ latestLedger: 300, token, moved }), paid('movement', 0, 140));
    }
  });

  it('without a first ledger, the history must reach back as far as such an expiration allows', async () => {
    const { reader, searched } = ledgerWith({ latestLedger: 5_000_000, oldest: 4_990_000 });
    const old = { ...TRANSFER, firstLedger: undefined, expirationLedger: 4_999_000 };
    assert.deepEqual(await readFate(old, reader), unknown('history_too_short'));
    assert.deepEqual(searched, [
      [4_994_001, 4_999_000, 300],
      [4_989_001, 4_994_000, 300],
    ]);
  });

  it('long periods are searched piece by piece, the newest first, without gap or overlap', async () => {
    const long = { ...TRANSFER, firstLedger: 1_000, expirationLedger: 12_345 };
    const { reader, searched } = ledgerWith({ latestLedger: 30_000 });
    assert.deepEqual(await readFate(long, reader), SEARCHED);
    assert.deepEqual(searched, [
      [7_346, 12_345, 300],
      [2_346, 7_345, 300],
      [1_000, 2_345, 300],
    ]);
  });

  it('no more than 300 movements are read, in all pieces together', async () => {
    const many = (count: number, ledger: number) =>
      Array.from({ length: count }, () => ({ ledger, envelope: OTHER_PAYMENT }));
    const tooMany = unknown('too_many_movements');
    assert.deepEqual(await fateOf({ latestLedger: 300, moved: many(300, 150) }), tooMany);
    assert.deepEqual(await fateOf({ latestLedger: 300, moved: many(299, 150) }), SEARCHED);
    const moved = [...many(200, 12_000), ...many(100, 3_000)];
    const { reader, searched } = ledgerWith({ latestLedger: 30_000, moved });
    const long = { ...TRANSFER, firstLedger: 1_000, expirationLedger: 12_345 };
    assert.deepEqual(await readFate(long, reader), tooMany);
    assert.deepEqual(searched, [
      [7_346, 12_345, 300],
      [2_346, 7_345, 100],
    ]);
  });
});

describe('A server that does not answer', () => {
  it('rejects, instead of an answer that could be wrong', async () => {
    const { reader } = ledgerWith({ latestLedger: 300 });
    const silent: FateReader = { ...reader, movements: () => Promise.reject(new Error('silence')) };
    await assert.rejects(readFate(TRANSFER, silent), /silence/);
  });
});
