import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { xdr } from '@stellar/stellar-sdk';
import {
  applyRecordedLedger,
  type CloseMode,
  headerHash,
  LedgerEngine,
  LedgerService,
  systemLedgerClock,
} from './close/index.ts';
import {
  ForkError,
  ForkedEntries,
  type ForkOrigin,
  forkState,
  readForkOrigin,
} from './fork/index.ts';
import {
  GENESIS_MODULES,
  type GenesisKeys,
  type GenesisModules,
  genesisKeys,
  genesisState,
  networkIdOf,
} from './genesis/index.ts';
import {
  ClosedLedger,
  LedgerHistory,
  type LedgerStore,
  MemoryLedgerStore,
} from './history/index.ts';
import { type HostSource, hostSource } from './hostModule.ts';
import type { LedgerOptions } from './ledgerOptions.ts';
import { LedgerFolder, newSeed, PersistenceError } from './persistence/index.ts';
import type { LedgerState } from './state/index.ts';

/** The passphrase of testnet, the only test network that x402 clients know. */
const DEFAULT_PASSPHRASE = 'Test SDF Network ; September 2015';
/** The number of ledgers that testnet closes in a day. */
const DEFAULT_RETAINED_LEDGERS = 17_280;
/** Maximum number of bytes of closed ledgers kept in memory and on disk. */
const RETAINED_BYTES = { memory: 64 << 20, disk: 512 << 20 };
/** Milliseconds for which older ledgers are read at a time. */
const INDEXING_SLICE = 4;

/** A network that is not reachable from outside. */
export interface OpenNetwork {
  readonly service: LedgerService;
  readonly keys: GenesisKeys;
  readonly networkId: Uint8Array;
  readonly passphrase: string;
  readonly retainedLedgers: number;
  readonly hosts: HostSource;
  /** The current Soroban host's build identifier: 40 hexadecimal digits. */
  hostDigest(): string;
  /** Prepares the Soroban host in the background for the first call. */
  prepareHost(): Promise<void>;
  /** Raises the protocol in a separate ledger. @throws UnsupportedProtocolError, LedgerServiceError */
  upgradeProtocol(protocol: number): Promise<ClosedLedger>;
  /** Returns the state with which the network began, at its current protocol. */
  initialState(): LedgerState;
  /** The entries of the forked network; undefined if this network is not a fork. */
  readonly forked: ForkedEntries | undefined;
  /** Stops closing ledgers and releases the data folder. */
  close(): void;
}

/** What networks on disk and in memory have in common. */
interface Storage {
  readonly keys: GenesisKeys;
  readonly state: LedgerState;
  readonly store: LedgerStore;
  readonly retainedBytes: number;
  afterClose(): void;
  close(sound: boolean): void;
}

/**
 * Starts a new network, or continues the one in the data folder.
 * @throws PersistenceError, HostCallError
 */
export async function openNetwork(options: LedgerOptions): Promise<OpenNetwork> {
  const hosts = await hostSource(options.hostModule, options.protocol);
  const origin = await originOf(options, hosts);
  const passphrase = origin?.passphrase ?? options.passphrase ?? DEFAULT_PASSPHRASE;
  const networkId = networkIdOf(passphrase);
  const retainedLedgers = options.retainedLedgers ?? DEFAULT_RETAINED_LEDGERS;
  const storage = await openStorage(options, passphrase, networkId, hosts.preferred, origin);
  try {
    let loaded = await hosts.load(storage.state.header.ledgerVersion);
    const engine = new LedgerEngine(storage.state, {
      networkId,
      host: loaded.host,
      classicEvents: true,
      diagnostics: true,
      resourceFeeMeta: true,
      ...(options.autoImpersonate ? { autoImpersonate: true } : {}),
    });
    const useHost = async (protocol: number): Promise<void> => {
      if (engine.host.protocol === protocol) return;
      loaded = await hosts.load(protocol);
      engine.useHost(loaded.host);
    };
    await catchUp(engine, storage.store, useHost);
    const { keys } = storage;
    const retention = { ledgers: retainedLedgers, bytes: storage.retainedBytes };
    const history = new LedgerHistory(storage.store, networkId, retention);
    const mode: CloseMode = options.close ?? { kind: 'demand' };
    const service = new LedgerService({
      engine,
      history,
      validator: keys.validator,
      clock: options.clock ?? systemLedgerClock,
      mode,
      ...(options.timeBounds === undefined ? {} : { timeBounds: options.timeBounds }),
      onFault: options.onFault ?? (() => {}),
    });
    service.onClose(() => storage.afterClose());
    const upgradeProtocol = async (protocol: number): Promise<ClosedLedger> => {
      const next = await hosts.load(protocol);
      const ledger = service.upgradeProtocol(next.host);
      loaded = next;
      return ledger;
    };
    await applyProtocolOption(options, engine, upgradeProtocol);
    const stopIndexing = indexInBackground(history);
    return {
      service,
      keys,
      networkId,
      passphrase,
      retainedLedgers,
      hosts,
      hostDigest: () => loaded.digest,
      prepareHost: () => loaded.prepare(),
      upgradeProtocol,
      initialState: () => beginning(engine.state.header.ledgerVersion, networkId, keys, origin),
      forked: origin && new ForkedEntries(service, origin),
      close() {
        stopIndexing();
        service.stop();
        storage.close(service.sound);
      },
    };
  } catch (error) {
    storage.close(false);
    throw error;
  }
}

/** @throws ForkError */
async function originOf(
  { fork, dataFolder, passphrase, protocol }: LedgerOptions,
  hosts: HostSource,
): Promise<ForkOrigin | undefined> {
  if (fork === undefined) return undefined;
  if (dataFolder !== undefined) {
    throw new ForkError('BAD_OPTIONS', 'A fork is kept in memory. Omit the data folder.');
  }
  const origin = await readForkOrigin(fork, protocol === undefined ? hosts.protocols : [protocol]);
  if (passphrase !== undefined && passphrase !== origin.passphrase) {
    throw new ForkError(
      'BAD_OPTIONS',
      `The passphrase of the forked network is "${origin.passphrase}". Omit the passphrase.`,
    );
  }
  return origin;
}

async function openStorage(
  { dataFolder, seed }: LedgerOptions,
  passphrase: string,
  networkId: Uint8Array,
  protocol: number,
  origin: ForkOrigin | undefined,
): Promise<Storage> {
  const genesis = (keys: GenesisKeys): LedgerState => beginning(protocol, networkId, keys, origin);
  if (dataFolder === undefined) {
    const keys = genesisKeys(networkId, seed ?? newSeed());
    const state = genesis(keys);
    return {
      keys,
      state,
      store: new MemoryLedgerStore(state.header.ledgerSeq + 1),
      retainedBytes: RETAINED_BYTES.memory,
      afterClose: () => {},
      close: () => {},
    };
  }
  let made: GenesisKeys | undefined;
  const folder = await LedgerFolder.open(dataFolder, {
    passphrase,
    seed,
    genesis: (identity) => {
      made = genesisKeys(networkId, identity.seed);
      return genesis(made);
    },
  });
  return {
    // There are many keys, and a new network has already derived them.
    keys: made ?? genesisKeys(networkId, folder.identity.seed),
    state: folder.state,
    store: folder.store,
    retainedBytes: RETAINED_BYTES.disk,
    afterClose: () => folder.snapshotIfDue(),
    close: (sound) => (sound ? folder.close() : folder.abandon()),
  };
}

/** @returns the state of the first ledger, or of the forked ledger */
function beginning(
  protocol: number,
  networkId: Uint8Array,
  keys: GenesisKeys,
  origin: ForkOrigin | undefined,
): LedgerState {
  return origin
    ? forkState(origin, networkId, keys, contractModules())
    : genesisState(protocol, networkId, keys, contractModules());
}

/** Applies the ledgers that were closed after the stored state, and verifies the result against their headers. */
async function catchUp(
  engine: LedgerEngine,
  store: LedgerStore,
  useHost: (protocol: number) => Promise<void>,
): Promise<void> {
  const { state, networkId } = engine;
  for (let sequence = state.header.ledgerSeq + 1; sequence <= store.last; sequence++) {
    const bytes = store.read(sequence);
    if (bytes === undefined) throw damaged(`Ledger ${sequence} is missing.`);
    const { meta, header } = ClosedLedger.read(networkId, bytes);
    if (!follows(header, state.header))
      throw damaged(`Ledger ${sequence} does not follow the previous one.`);
    await useHost(header.ledgerVersion);
    applyRecordedLedger(engine, meta);
  }
  if (!state.stateHash().equals(Buffer.from(state.header.bucketListHash.value))) {
    const { ledgerSeq } = state.header;
    throw damaged(`The state after ledger ${ledgerSeq} does not match the hash in its header.`);
  }
}

/**
 * Upgrades a network that runs an older protocol than requested. A protocol cannot be downgraded.
 * @throws PersistenceError
 */
async function applyProtocolOption(
  { protocol }: LedgerOptions,
  { state }: LedgerEngine,
  upgrade: (protocol: number) => Promise<unknown>,
): Promise<void> {
  const { ledgerVersion } = state.header;
  if (protocol === undefined || protocol === ledgerVersion) return;
  if (protocol > ledgerVersion) {
    await upgrade(protocol);
    return;
  }
  throw new PersistenceError(
    'NEWER_PROTOCOL',
    `The network in the data folder runs protocol ${ledgerVersion} and cannot go back to ${protocol}. Use another data folder.`,
  );
}

function follows(header: xdr.LedgerHeader, last: xdr.LedgerHeader): boolean {
  return (
    header.ledgerSeq === last.ledgerSeq + 1 &&
    headerHash(last).equals(Buffer.from(header.previousLedgerHash.value))
  );
}

function damaged(what: string): PersistenceError {
  return new PersistenceError('DAMAGED', `${what} The data folder is damaged.`);
}

/**
 * Gradually indexes the ledgers of earlier processes, so that their transactions can be found by hash.
 * @returns a function that stops it
 */
function indexInBackground(history: LedgerHistory): () => void {
  let timer: NodeJS.Immediate | undefined;
  const slice = (): void => {
    const end = Date.now() + INDEXING_SLICE;
    while (Date.now() < end) {
      if (!history.indexOlder()) return;
    }
    timer = setImmediate(slice).unref();
  };
  timer = setImmediate(slice).unref();
  return () => clearImmediate(timer);
}

/** The modules of the project's own contracts: next to the bundle that contains this code, or in the source tree. */
export function contractModules(): GenesisModules {
  return Object.fromEntries(
    GENESIS_MODULES.map((name) => {
      const shipped = fileURLToPath(new URL(`./contracts/${name}.wasm`, import.meta.url));
      const source = new URL(`../../contracts/wasm/${name}.wasm`, import.meta.url);
      return [name, readFileSync(existsSync(shipped) ? shipped : fileURLToPath(source))];
    }),
  );
}
