import { fileURLToPath } from 'node:url';
import { xdr } from '@stellar/stellar-sdk';
import { LedgerEngine, LedgerService, systemLedgerClock } from '../../src/close/index.ts';
import { type GenesisKeys, genesisKeys, genesisState } from '../../src/genesis/index.ts';
import { LedgerHistory, MemoryLedgerStore } from '../../src/history/index.ts';
import { hostFileName, loadHost, type SorobanHost } from '../../src/host/index.ts';
import { entryKeyId, type LedgerState } from '../../src/state/index.ts';
import { NETWORK_ID } from './benchTransaction.ts';

const PROTOCOL = 27;
const KEYS: GenesisKeys = genesisKeys(NETWORK_ID, 'bench');
const RETENTION = { ledgers: 17_280, bytes: 64 << 20 };

/** A network as started by `svc-x402 ledger`, in this process and not reachable from outside. */
export class BenchNetwork {
  readonly state: LedgerState;
  readonly host: SorobanHost;
  readonly service: LedgerService;

  /** @param events recorded ledgers have all diagnostic events; a network keeps a bounded amount */
  static host(events: 'bounded' | 'all' = 'bounded'): Promise<SorobanHost> {
    const file = new URL(`../../host/${hostFileName(PROTOCOL)}`, import.meta.url);
    return loadHost(fileURLToPath(file), events);
  }

  /** The initial state of a network. */
  static genesis(): LedgerState {
    return genesisState(PROTOCOL, NETWORK_ID, KEYS);
  }

  /** @param entries in addition to those of every new network */
  static async open(entries: readonly xdr.LedgerEntryData[] = []): Promise<BenchNetwork> {
    const state = BenchNetwork.genesis();
    for (const data of entries) putEntry(state, data);
    return new BenchNetwork(state, await BenchNetwork.host());
  }

  constructor(state: LedgerState, host: SorobanHost) {
    this.state = state;
    this.host = host;
    const engine = new LedgerEngine(state, {
      networkId: NETWORK_ID,
      host,
      classicEvents: true,
      diagnostics: true,
      resourceFeeMeta: true,
    });
    const store = new MemoryLedgerStore(state.header.ledgerSeq + 1);
    this.service = new LedgerService({
      engine,
      history: new LedgerHistory(store, NETWORK_ID, RETENTION),
      validator: KEYS.validator,
      clock: systemLedgerClock,
      mode: { kind: 'manual' },
      onFault: fail,
    });
  }

  /** Accepts a transaction in its wire format. */
  submit(envelope: Uint8Array): void {
    const { submission } = this.service.submit(xdr.TransactionEnvelope.fromXdr(envelope));
    if (submission.status === 'PENDING') return;
    const why = submission.status === 'ERROR' ? submission.result.toXdr('base64') : '';
    throw new Error(`${submission.status} ${why}`);
  }

  /** Closes a ledger with all pending transactions, which must succeed. */
  close(transactions: number): void {
    const ledger = this.service.closeLedger();
    const good = ledger.transactions.filter(({ successful }) => successful).length;
    if (good === transactions) return;
    const bad = ledger.transactions.find(({ successful }) => !successful);
    throw new Error(`${good} of ${transactions} succeeded: ${bad?.result.toXdr('base64') ?? ''}`);
  }
}

export function putEntry(state: LedgerState, data: xdr.LedgerEntryData): void {
  const entry = new xdr.LedgerEntry({
    lastModifiedLedgerSeq: state.header.ledgerSeq,
    data,
    ext: xdr.LedgerEntryExt.v0(),
  });
  state.put(entryKeyId(entry), entry);
}

function fail(fault: Error): never {
  throw fault;
}
