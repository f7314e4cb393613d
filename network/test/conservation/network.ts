import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { xdr } from '@stellar/stellar-sdk';
import { applyLedger } from '../../src/close/applyLedger.ts';
import { LedgerEngine } from '../../src/close/ledgerEngine.ts';
import { hostFileName, loadHost } from '../../src/host/index.ts';
import { testnetSettings } from '../../src/settings/index.ts';
import { entryKeyId, LedgerState } from '../../src/state/index.ts';
import { ParsedTransaction } from '../../src/transaction/index.ts';
import { actor } from './scene.ts';

const PROTOCOL = 27;
const TOTAL_COINS = 10n ** 18n;
const ZERO_HASH = new Uint8Array(32);
const SECONDS_A_LEDGER = 5n;

/** Owns all lumens at first. */
export const root = actor('root');

/** Closes ledgers on a network that begins with nothing but its settings and its root account. */
export class TestNetwork {
  readonly networkId = createHash('sha256').update('conservation').digest();
  readonly state: LedgerState;
  /** Why transactions ended with `txINTERNAL_ERROR`: none may. */
  readonly faults: Error[] = [];
  readonly #engine: LedgerEngine;

  static async start(): Promise<TestNetwork> {
    const module = new URL(`../../host/${hostFileName(PROTOCOL)}`, import.meta.url);
    return new TestNetwork(await loadHost(fileURLToPath(module)));
  }

  private constructor(host: Awaited<ReturnType<typeof loadHost>>) {
    this.state = new LedgerState(genesisHeader());
    for (const data of [rootAccount(), ...testnetSettings().map(settingData)]) {
      const entry = new xdr.LedgerEntry({
        lastModifiedLedgerSeq: 1,
        data,
        ext: xdr.LedgerEntryExt.v0(),
      });
      this.state.put(entryKeyId(entry), entry);
    }
    this.#engine = new LedgerEngine(this.state, {
      networkId: this.networkId,
      host,
      classicEvents: true,
      diagnostics: false,
      resourceFeeMeta: false,
      onInternalError: (_tx, fault) => this.faults.push(fault),
    });
  }

  /** Closes a ledger of these transactions, in this order, and says what each did. */
  close(envelopes: readonly xdr.TransactionEnvelope[]): readonly xdr.TransactionResultMetaV1[] {
    const { scpValue } = this.state.header;
    const ledger = applyLedger(this.#engine, {
      value: new xdr.StellarValue({
        ...scpValue,
        closeTime: scpValue.closeTime + SECONDS_A_LEDGER,
      }),
      phases: {
        classic: envelopes.map((envelope) => ({
          tx: new ParsedTransaction(this.networkId, envelope),
          baseFee: 100n,
        })),
        stages: [],
      },
    });
    ledger.commit();
    return ledger.txProcessing;
  }
}

function rootAccount(): xdr.LedgerEntryData {
  return xdr.LedgerEntryData.account(
    new xdr.AccountEntry({
      accountId: root.id,
      balance: TOTAL_COINS,
      seqNum: 0n,
      numSubEntries: 0,
      inflationDest: null,
      flags: 0,
      homeDomain: '',
      thresholds: Uint8Array.of(1, 0, 0, 0),
      signers: [],
      ext: xdr.AccountEntryExt.v0(),
    }),
  );
}

function settingData(setting: xdr.ConfigSettingEntry): xdr.LedgerEntryData {
  return xdr.LedgerEntryData.configSetting(setting);
}

function genesisHeader(): xdr.LedgerHeader {
  return new xdr.LedgerHeader({
    ledgerVersion: PROTOCOL,
    previousLedgerHash: ZERO_HASH,
    scpValue: new xdr.StellarValue({
      txSetHash: ZERO_HASH,
      closeTime: 1_000_000n,
      upgrades: [],
      ext: xdr.StellarValueExt.stellarValueBasic(),
    }),
    txSetResultHash: ZERO_HASH,
    bucketListHash: ZERO_HASH,
    ledgerSeq: 1,
    totalCoins: TOTAL_COINS,
    feePool: 0n,
    inflationSeq: 0,
    idPool: 0n,
    baseFee: 100,
    baseReserve: 5_000_000,
    maxTxSetSize: 1000,
    skipList: [ZERO_HASH, ZERO_HASH, ZERO_HASH, ZERO_HASH],
    ext: xdr.LedgerHeaderExt.v0(),
  });
}
