import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { newHost } from '../../test/helpers/testHost.ts';
import { applyLedger } from '../close/applyLedger.ts';
import { networkOrder } from '../close/applyOrder.ts';
import { LedgerEngine } from '../close/ledgerEngine.ts';
import { headerHash, sealHeader } from '../close/sealHeader.ts';
import { phasesOf, transactionSetHash } from '../close/transactionSet.ts';
import { LocalKey } from '../genesis/index.ts';
import type { SorobanHost } from '../host/index.ts';
import { createSignatureVerifier, ParsedTransaction } from '../transaction/index.ts';
import { closedLedgers } from './replayFiles.ts';
import { type LedgerVerdict, replayGenesis, replayLedgers } from './replayLedgers.ts';

const PROTOCOL = 27;
const NETWORK_ID = createHash('sha256').update('a network to replay').digest();
const root = new LocalKey(NETWORK_ID);
const UNKNOWN = new Uint8Array(32).fill(0xee);
let host: SorobanHost;

before(async () => {
  host = await newHost(PROTOCOL);
});

/** Closes ledgers in which the root account creates one account each, as a file would record them. */
function record(count: number): xdr.LedgerCloseMetaV2[] {
  const state = replayGenesis([], NETWORK_ID);
  state.header = new xdr.LedgerHeader({
    ...state.header,
    ledgerVersion: PROTOCOL,
    baseFee: 100,
    baseReserve: 100_000_000,
    maxTxSetSize: 50,
  });
  const engine = new LedgerEngine(state, {
    networkId: NETWORK_ID,
    host,
    classicEvents: true,
    diagnostics: true,
    resourceFeeMeta: false,
  });
  return Array.from({ length: count }, (_, at) => closeOne(engine, at));
}

function closeOne(engine: LedgerEngine, at: number): xdr.LedgerCloseMetaV2 {
  const { state } = engine;
  const txSet = setOf(state.header, creation(at));
  const hash = transactionSetHash(txSet);
  const applied = applyLedger(engine, {
    value: new xdr.StellarValue({
      txSetHash: hash,
      closeTime: BigInt(at),
      upgrades: [],
      ext: xdr.StellarValueExt.stellarValueBasic(),
    }),
    phases: networkOrder(phasesOf(txSet, NETWORK_ID), hash),
    previousLedgerHash: at === 0 ? UNKNOWN : headerHash(state.header),
  });
  applied.commit();
  const sealed = sealHeader(applied.header, createHash('sha256').update(`buckets ${at}`).digest());
  state.header = sealed.header;
  return new xdr.LedgerCloseMetaV2({
    ext: xdr.LedgerCloseMetaExt.v0(),
    ledgerHeader: new xdr.LedgerHeaderHistoryEntry({
      ...sealed,
      ext: xdr.LedgerHeaderHistoryEntryExt.v0(),
    }),
    txSet,
    txProcessing: [...applied.txProcessing],
    upgradesProcessing: [],
    scpInfo: [],
    totalByteSizeOfLiveSorobanState: 0n,
    evictedKeys: [],
  });
}

function creation(at: number): xdr.TransactionEnvelope {
  const destination = LocalKey.derive('replay', `account ${at}`).publicKey;
  const tx = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(root.publicKey.ed25519),
    fee: 100,
    seqNum: BigInt(at + 1),
    cond: xdr.Preconditions.precondNone(),
    memo: xdr.Memo.memoNone(),
    operations: [
      new xdr.Operation({
        sourceAccount: null,
        body: xdr.OperationBody.createAccount(
          new xdr.CreateAccountOp({ destination, startingBalance: 10_000_000_000n }),
        ),
      }),
    ],
    ext: xdr.TransactionExt.v0(),
  });
  const envelope = (signatures: xdr.DecoratedSignature[]): xdr.TransactionEnvelope =>
    xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx, signatures }));
  const { hash } = new ParsedTransaction(NETWORK_ID, envelope([]));
  return envelope([root.decorate(hash)]);
}

function setOf(
  last: xdr.LedgerHeader,
  envelope: xdr.TransactionEnvelope,
): xdr.GeneralizedTransactionSet {
  return xdr.GeneralizedTransactionSet.v1TxSet(
    new xdr.TransactionSetV1({
      previousLedgerHash: headerHash(last),
      phases: [
        xdr.TransactionPhase.v0Components([
          xdr.TxSetComponent.txsetCompTxsMaybeDiscountedFee(
            new xdr.TxSetComponentTxsMaybeDiscountedFee({ baseFee: 100n, txs: [envelope] }),
          ),
        ]),
      ],
    }),
  );
}

const replay = (ledgers: readonly xdr.LedgerCloseMetaV2[]): LedgerVerdict[] =>
  replayLedgers(ledgers, {
    networkId: NETWORK_ID,
    host,
    verify: createSignatureVerifier(),
    compareDiagnostics: true,
  });
const failing = (verdicts: readonly LedgerVerdict[]): number[] =>
  verdicts.flatMap(({ difference }, at) => (difference === undefined ? [] : [at]));

describe('A replay', () => {
  it('passes ledgers that match the recording', () => {
    assert.deepEqual(failing(replay(record(4))), []);
  });

  it('compares each ledger separately, and reports the first difference', () => {
    const ledgers = record(4);
    const [, second] = ledgers;
    const [result] = second?.txProcessing ?? [];
    assert.ok(second && result);
    const dearer = new xdr.TransactionResult({ ...result.result.result, feeCharged: 101n });
    ledgers[1] = new xdr.LedgerCloseMetaV2({
      ...second,
      txProcessing: [
        new xdr.TransactionResultMetaV1({
          ...result,
          result: new xdr.TransactionResultPair({ ...result.result, result: dearer }),
        }),
      ],
    });
    const verdicts = replay(ledgers);
    assert.deepEqual(failing(verdicts), [1]);
    assert.deepEqual(verdicts[1]?.difference, {
      path: 'txProcessing[0].result.result.feeCharged',
      expected: '101',
      got: '100',
    });
  });

  it('continues from the recorded ledger, not from the computed one', () => {
    const ledgers = record(3);
    const [first] = ledgers;
    assert.ok(first);
    // A first ledger without its transaction's meta: what follows lacks the account's new number.
    ledgers[0] = new xdr.LedgerCloseMetaV2({ ...first, txProcessing: [] });
    assert.deepEqual(failing(replay(ledgers)), [0, 1]);
  });

  it('compares the order of changes only per key', () => {
    const ledgers = record(1);
    const [first] = ledgers;
    const [result] = first?.txProcessing ?? [];
    const meta = result?.txApplyProcessing;
    assert.ok(first && result && meta?.type === 'v4');
    const operations = meta.v4.operations.map(
      (operation) =>
        new xdr.OperationMetaV2({ ...operation, changes: [...operation.changes].reverse() }),
    );
    const reversed = new xdr.TransactionMetaV4({ ...meta.v4, operations });
    const txApplyProcessing = xdr.TransactionMeta.v4(reversed);
    const txProcessing = [new xdr.TransactionResultMetaV1({ ...result, txApplyProcessing })];
    const shuffled = new xdr.LedgerCloseMetaV2({ ...first, txProcessing });
    assert.notDeepEqual(shuffled.toXdr(), first.toXdr());
    assert.deepEqual(failing(replay([shuffled])), []);
  });

  it('reports a ledger of another protocol than the host’s', () => {
    const [first] = record(1);
    assert.ok(first);
    const header = new xdr.LedgerHeader({ ...first.ledgerHeader.header, ledgerVersion: 28 });
    const ledgerHeader = new xdr.LedgerHeaderHistoryEntry({ ...first.ledgerHeader, header });
    const [verdict] = replay([new xdr.LedgerCloseMetaV2({ ...first, ledgerHeader })]);
    assert.equal(verdict?.difference?.path, 'header.ledgerVersion');
  });
});

describe('A file of ledgers', () => {
  const framed = (body: Uint8Array): Buffer => {
    const mark = Buffer.alloc(4);
    mark.writeUInt32BE(0x8000_0000 + body.length);
    return Buffer.concat([mark, body]);
  };

  it('is a stream of framed records', () => {
    const ledgers = record(2);
    const bytes = ledgers.map((ledger) => framed(xdr.LedgerCloseMeta.v2(ledger).toXdr()));
    const read = [...closedLedgers(Buffer.concat(bytes))];
    assert.deepEqual(
      read.map((ledger) => ledger.toXdr('base64')),
      ledgers.map((ledger) => ledger.toXdr('base64')),
    );
  });

  it('is refused if it is truncated, or has other content', () => {
    const whole = framed(Buffer.alloc(8));
    assert.throws(() => [...closedLedgers(whole.subarray(0, 9))], { code: 'bad_framing' });
    assert.throws(() => [...closedLedgers(Buffer.from([0, 0, 0, 0]))], { code: 'bad_framing' });
    assert.throws(() => [...closedLedgers(framed(Buffer.from([0, 0, 0, 9])))], {
      code: 'bad_record',
    });
  });
});
