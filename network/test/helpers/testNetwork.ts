import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { type AppliedLedger, applyLedger } from '../../src/close/applyLedger.ts';
import { givenOrder } from '../../src/close/applyOrder.ts';
import { LedgerEngine } from '../../src/close/ledgerEngine.ts';
import { headerHash, sealHeader } from '../../src/close/sealHeader.ts';
import { phasesOf, transactionSetHash } from '../../src/close/transactionSet.ts';
import { LocalKey } from '../../src/genesis/index.ts';
import type { SorobanHost } from '../../src/host/index.ts';
import { testnetSettings } from '../../src/settings/index.ts';
import {
  accountKeyId,
  entryKeyId,
  type LedgerKeyId,
  LedgerState,
  ttlKeyHash,
} from '../../src/state/index.ts';
import {
  checkTransaction,
  ParsedTransaction,
  type TransactionCheck,
} from '../../src/transaction/index.ts';
import { newHost } from './testHost.ts';

export const NETWORK_ID = createHash('sha256').update('test network').digest();
export const XLM = 10_000_000n;
export const BASE_FEE = 100n;
export const BASE_RESERVE = 5_000_000;
const FIRST_LEDGER = 1_000;
const FIRST_CLOSE_TIME = 1_700_000_000n;
const NO_HASH = new Uint8Array(32);

type AccountFields = Partial<ConstructorParameters<typeof xdr.AccountEntry>[0]>;

/** A transaction in the making. */
export interface Draft {
  readonly source: LocalKey;
  readonly operations: readonly (xdr.OperationBody | xdr.Operation)[];
  readonly seqNum?: bigint;
  readonly fee?: bigint;
  readonly cond?: xdr.Preconditions;
  readonly memo?: xdr.Memo;
  readonly sorobanData?: xdr.SorobanTransactionData;
}

export interface TestNetworkOptions {
  readonly protocol?: number;
  readonly settings?: readonly xdr.ConfigSettingEntry[];
  readonly classicEvents?: boolean;
  /** Wraps the host, to record the engine's calls. */
  readonly watch?: (host: SorobanHost) => SorobanHost;
}

/** A network with a real host, on which tests put entries, check transactions and close ledgers. */
export class TestNetwork {
  readonly state: LedgerState;
  readonly #host: SorobanHost;
  readonly #options: TestNetworkOptions;
  #engine: LedgerEngine | undefined;

  static async open(options: TestNetworkOptions = {}): Promise<TestNetwork> {
    const host = await newHost(options.protocol ?? 27);
    return new TestNetwork(options.watch?.(host) ?? host, options);
  }

  private constructor(host: SorobanHost, options: TestNetworkOptions) {
    this.#host = host;
    this.#options = options;
    this.state = new LedgerState(firstHeader(host.protocol));
    for (const setting of options.settings ?? testnetSettings()) {
      this.put(xdr.LedgerEntryData.configSetting(setting));
    }
  }

  /** All entries must be put before the engine is first asked for. */
  get engine(): LedgerEngine {
    this.#engine ??= new LedgerEngine(this.state, {
      networkId: NETWORK_ID,
      host: this.#host,
      classicEvents: this.#options.classicEvents ?? false,
      diagnostics: true,
      resourceFeeMeta: true,
    });
    return this.#engine;
  }

  put(data: xdr.LedgerEntryData, lastModifiedLedgerSeq = 1): LedgerKeyId {
    const entry = new xdr.LedgerEntry({
      lastModifiedLedgerSeq,
      data,
      ext: xdr.LedgerEntryExt.v0(),
    });
    const id = entryKeyId(entry);
    this.state.put(id, entry);
    return id;
  }

  /** A contract's entry with its TTL. */
  putContract(data: xdr.LedgerEntryData, liveUntilLedgerSeq: number): LedgerKeyId {
    const id = this.put(data);
    const ttl = new xdr.TtlEntry({ keyHash: ttlKeyHash(id), liveUntilLedgerSeq });
    this.put(xdr.LedgerEntryData.ttl(ttl));
    return id;
  }

  /** An account with a key of its own, which depends on the name alone. */
  account(name: string, change: AccountFields = {}): LocalKey {
    const key = keyOf(name);
    this.put(xdr.LedgerEntryData.account(accountEntry(key, change)));
    return key;
  }

  accountOf(key: LocalKey): xdr.AccountEntry | undefined {
    const entry = this.state.peek(accountKeyId(key.publicKey));
    return entry?.data.type === 'account' ? entry.data.account : undefined;
  }

  transaction(draft: Draft): xdr.Transaction {
    const { source, operations, cond, memo, sorobanData } = draft;
    const fee = draft.fee ?? BASE_FEE * BigInt(operations.length);
    return new xdr.Transaction({
      sourceAccount: xdr.MuxedAccount.keyTypeEd25519(source.publicKey.ed25519),
      fee: Number(fee),
      seqNum: draft.seqNum ?? (this.accountOf(source)?.seqNum ?? 0n) + 1n,
      cond: cond ?? xdr.Preconditions.precondNone(),
      memo: memo ?? xdr.Memo.memoNone(),
      operations: operations.map((operation) =>
        operation instanceof xdr.Operation
          ? operation
          : new xdr.Operation({ sourceAccount: null, body: operation }),
      ),
      ext:
        sorobanData === undefined
          ? xdr.TransactionExt.v0()
          : xdr.TransactionExt.sorobanData(sorobanData),
    });
  }

  /** Signed by its source, unless other signers are named. */
  signed(draft: Draft, signers: readonly LocalKey[] = [draft.source]): xdr.TransactionEnvelope {
    return sign(this.transaction(draft), signers);
  }

  feeBump(
    inner: xdr.TransactionEnvelope,
    source: LocalKey,
    fee: bigint,
    signers: readonly LocalKey[] = [source],
  ): xdr.TransactionEnvelope {
    const tx = new xdr.FeeBumpTransaction({
      feeSource: xdr.MuxedAccount.keyTypeEd25519(source.publicKey.ed25519),
      fee,
      innerTx: xdr.FeeBumpTransactionInnerTx.envelopeTypeTx(v1Of(inner)),
      ext: xdr.FeeBumpTransactionExt.v0(),
    });
    const hash = parse(
      xdr.TransactionEnvelope.envelopeTypeTxFeeBump(
        new xdr.FeeBumpTransactionEnvelope({ tx, signatures: [] }),
      ),
    ).hash;
    const signatures = signers.map((key) => key.decorate(hash));
    return xdr.TransactionEnvelope.envelopeTypeTxFeeBump(
      new xdr.FeeBumpTransactionEnvelope({ tx, signatures }),
    );
  }

  /** The verdict on a submitted transaction, for the next ledger. */
  check(envelope: xdr.TransactionEnvelope): TransactionCheck {
    const { ledgerSeq, scpValue } = this.state.header;
    return checkTransaction(parse(envelope), this.state, this.engine.environment(), {
      ledgerSeq: ledgerSeq + 1,
      closeTime: scpValue.closeTime,
      latestCloseTime: scpValue.closeTime,
    });
  }

  /** Computes a ledger of classic transactions, and Soroban transactions of one cluster, in order. */
  apply(
    classic: readonly xdr.TransactionEnvelope[] = [],
    soroban: readonly xdr.TransactionEnvelope[] = [],
    upgrades: readonly xdr.LedgerUpgrade[] = [],
  ): AppliedLedger {
    return this.applyStages(classic, soroban.length === 0 ? [] : [[soroban]], upgrades);
  }

  applyStages(
    classic: readonly xdr.TransactionEnvelope[],
    stages: readonly (readonly (readonly xdr.TransactionEnvelope[])[])[],
    upgrades: readonly xdr.LedgerUpgrade[] = [],
  ): AppliedLedger {
    const set = transactionSet(this.state.header, classic, stages);
    const order = [...classic, ...stages.flat(2)].map((envelope) => parse(envelope).hash);
    return applyLedger(this.engine, {
      value: new xdr.StellarValue({
        txSetHash: transactionSetHash(set),
        closeTime: this.state.header.scpValue.closeTime + 5n,
        upgrades: upgrades.map((upgrade) => upgrade.toXdr()),
        ext: xdr.StellarValueExt.stellarValueBasic(),
      }),
      phases: givenOrder(phasesOf(set, NETWORK_ID), order),
    });
  }

  /** As `apply`, and the ledger becomes the last one. */
  close(...[classic, soroban, upgrades]: Parameters<TestNetwork['apply']>): AppliedLedger {
    return this.commit(this.apply(classic, soroban, upgrades));
  }

  commit(applied: AppliedLedger): AppliedLedger {
    applied.commit();
    this.state.header = sealHeader(applied.header, this.state.stateHash()).header;
    return applied;
  }
}

export function keyOf(name: string): LocalKey {
  return LocalKey.derive('tests', name);
}

export function parse(envelope: xdr.TransactionEnvelope): ParsedTransaction {
  return new ParsedTransaction(NETWORK_ID, envelope);
}

export function sign(tx: xdr.Transaction, signers: readonly LocalKey[]): xdr.TransactionEnvelope {
  const { hash } = parse(envelopeOf(tx, []));
  return envelopeOf(
    tx,
    signers.map((key) => key.decorate(hash)),
  );
}

export function envelopeOf(
  tx: xdr.Transaction,
  signatures: xdr.DecoratedSignature[],
): xdr.TransactionEnvelope {
  return xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx, signatures }));
}

/** Names of the results of a ledger's transactions. */
export function resultsOf({ records }: AppliedLedger): string[] {
  return records.map(({ outcome }) => resultName(outcome.toXdr()));
}

/** `txSuccess`; of a fee bump also what became of the inner transaction. */
export function resultName({ result }: xdr.TransactionResult): string {
  return 'innerResultPair' in result
    ? `${result.type}: ${result.innerResultPair.result.result.type}`
    : result.type;
}

/** Pays lumens: the plainest operation there is. */
export function pay(to: LocalKey, amount: bigint): xdr.OperationBody {
  return xdr.OperationBody.payment(
    new xdr.PaymentOp({
      destination: xdr.MuxedAccount.keyTypeEd25519(to.publicKey.ed25519),
      asset: xdr.Asset.assetTypeNative(),
      amount,
    }),
  );
}

/** An operation with a source of its own. */
export function by(source: LocalKey, body: xdr.OperationBody): xdr.Operation {
  return new xdr.Operation({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(source.publicKey.ed25519),
    body,
  });
}

function v1Of(envelope: xdr.TransactionEnvelope): xdr.TransactionV1Envelope {
  if (envelope.type !== 'envelopeTypeTx') throw new TypeError('a fee bump wraps a v1 transaction');
  return envelope.v1;
}

function transactionSet(
  last: xdr.LedgerHeader,
  classic: readonly xdr.TransactionEnvelope[],
  stages: readonly (readonly (readonly xdr.TransactionEnvelope[])[])[],
): xdr.GeneralizedTransactionSet {
  const component = xdr.TxSetComponent.txsetCompTxsMaybeDiscountedFee(
    new xdr.TxSetComponentTxsMaybeDiscountedFee({ baseFee: BASE_FEE, txs: [...classic] }),
  );
  const executionStages = stages.map((stage) => stage.map((cluster) => [...cluster]));
  return xdr.GeneralizedTransactionSet.v1TxSet(
    new xdr.TransactionSetV1({
      previousLedgerHash: headerHash(last),
      phases: [
        xdr.TransactionPhase.v0Components([component]),
        xdr.TransactionPhase.parallelTxsComponent(
          new xdr.ParallelTxsComponent({ baseFee: BASE_FEE, executionStages }),
        ),
      ],
    }),
  );
}

function accountEntry(key: LocalKey, change: AccountFields): xdr.AccountEntry {
  return new xdr.AccountEntry({
    accountId: key.publicKey,
    balance: 1_000n * XLM,
    seqNum: 0n,
    numSubEntries: change.signers?.length ?? 0,
    inflationDest: null,
    flags: 0,
    homeDomain: '',
    thresholds: Uint8Array.of(1, 0, 0, 0),
    signers: [],
    ext: xdr.AccountEntryExt.v0(),
    ...change,
  });
}

function firstHeader(ledgerVersion: number): xdr.LedgerHeader {
  return new xdr.LedgerHeader({
    ledgerVersion,
    previousLedgerHash: NO_HASH,
    scpValue: new xdr.StellarValue({
      txSetHash: NO_HASH,
      closeTime: FIRST_CLOSE_TIME,
      upgrades: [],
      ext: xdr.StellarValueExt.stellarValueBasic(),
    }),
    txSetResultHash: NO_HASH,
    bucketListHash: NO_HASH,
    ledgerSeq: FIRST_LEDGER,
    totalCoins: 10n ** 18n,
    feePool: 0n,
    inflationSeq: 0,
    idPool: 0n,
    baseFee: Number(BASE_FEE),
    baseReserve: BASE_RESERVE,
    maxTxSetSize: 1_000,
    skipList: [NO_HASH, NO_HASH, NO_HASH, NO_HASH],
    ext: xdr.LedgerHeaderExt.v0(),
  });
}
