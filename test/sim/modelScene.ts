import type { SettlementHash } from '../../src/protocol/index.ts';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import type { FacilitatorConfig } from '../../src/server/config.ts';
import {
  type Caller,
  type Facilitator,
  identifyNetwork,
  openFacilitator,
  type Settlement,
  type SettlementStatus,
  type SettleOutcome,
} from '../../src/server/facilitator/index.ts';
import type { Logger } from '../../src/server/logger.ts';
import type { StellarNetwork } from '../../src/server/network/index.ts';
import { setApart } from '../../src/server/setApart.ts';
import { type Database, openStore, type Queryable } from '../../src/server/store/index.ts';
import { Random } from '../helpers/random.ts';
import type { TestKey } from '../support/payer.ts';
import {
  type EntryParts,
  PAYER,
  type PaymentParts,
  paymentRequest,
  SELLER,
} from '../support/payment.ts';
import type { JournalSnapshot } from './journalSnapshot.ts';
import { ModelLedger } from './modelLedger.ts';
import { CATALOG_AT_REST, holderOf } from './simAccounts.ts';
import { simNetwork } from './simNetwork.ts';
import { Life, SimWorld } from './simWorld.ts';

/** Nothing happens by chance. */
class NoChance extends Random {
  constructor() {
    super(1);
  }
  override chance(): boolean {
    return false;
  }
}

type Writable<T> = { -readonly [Member in keyof T]: T[Member] };

const MAX_EVENTS = 20_000;

/** Runs what needs no virtual time; a statement of the store takes some turns of the event loop. */
async function runTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A method of a server that never answers. */
export const never = (): Promise<never> => new Promise(() => {});

/** A line of the log. */
export interface Logged {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: object;
}

/** The catalog's hook, and the settlements it received. */
class Notified {
  readonly settlements: Settlement[] = [];
  /** Whether it throws. */
  fails = false;
  /** How long it takes. */
  takesMs = 0;
}

export interface SceneOptions {
  readonly config?: Partial<FacilitatorConfig>;
  /** The same store again, as after a restart. */
  readonly store?: Database;
  readonly world?: SimWorld;
  readonly ledger?: ModelLedger;
  readonly id?: string;
  /** Whether its sponsor and channels are those of another facilitator. */
  readonly elsewhere?: boolean;
  /** The last nonce that the payer has used. */
  readonly nonces?: bigint;
  /** Whether the service recognizes its network and watches the ledger. */
  readonly isWatching?: boolean;
  /** Called with every statement; what it returns is waited for first. */
  readonly onStatement?: (sql: string) => Promise<void> | undefined;
}

/**
 * A facilitator on a model of the ledger, in virtual time: a test decides when ledgers close, what the RPC server
 * answers, and which statement the store does not answer.
 */
export class ModelScene {
  readonly world: SimWorld;
  readonly ledger: ModelLedger;
  readonly store: Database;
  /** The server's methods, each of which a test may replace. */
  readonly network: Writable<StellarNetwork>;
  readonly catalog = new Notified();
  readonly log: Logged[] = [];
  /** How often the service noticed that its network started again. */
  resets = 0;
  /** Called with every statement; what it returns is waited for first. */
  onStatement: (sql: string) => Promise<void> | undefined;
  /**
   * Called after every statement that changes something: what it throws is all that the service learns, and what it returns is
   * waited for before the service learns anything.
   */
  afterChange: (sql: string) => Promise<void> | undefined = () => undefined;
  /** Called after every statement that reads: what it returns is waited for before the service has the rows. */
  afterRead: (sql: string) => Promise<void> | undefined = () => undefined;
  readonly #life: Life;
  #facilitator: Facilitator | undefined;
  #ids = 0;
  #nonces: bigint;

  private constructor(
    { world, ledger, nonces = 0n, onStatement = () => undefined }: SceneOptions,
    store: Database,
  ) {
    const random = new NoChance();
    this.onStatement = onStatement;
    this.#nonces = nonces;
    this.world = world ?? new SimWorld(random);
    this.ledger = ledger ?? new ModelLedger(random);
    this.store = store;
    this.#life = new Life(this.world);
    const mood = { silence: 0, lies: 0, twice: 0, killAtCall: 0 };
    this.network = simNetwork(this.ledger, this.world, this.#life, mood, () => {});
  }

  static async open(options: SceneOptions = {}): Promise<ModelScene> {
    const store = options.store ?? (await openStore({ databaseUrl: null, dataFolder: null }));
    const scene = new ModelScene(options, store);
    const id = options.id ?? 'id';
    const holder = holderOf(options.elsewhere ? 1 : 0);
    const clock = scene.#life.clock;
    const identified =
      options.isWatching === true
        ? await scene.until(
            identifyNetwork(store, holder.signers.sponsor, scene.network, clock, setApart),
          )
        : undefined;
    const opening = openFacilitator(
      { ...holder.config, ...options.config },
      {
        ...(identified && { identified }),
        onReset: () => {
          scene.resets += 1;
        },
        network: scene.network,
        clock: scene.#life.clock,
        logger: scene.#logger(),
        database: scene.#database(),
        signers: holder.signers,
        newId: () => `${id}-${++scene.#ids}`,
        catalog: {
          async onSettled(settlement) {
            scene.catalog.settlements.push(settlement);
            if (scene.catalog.takesMs > 0) await scene.#life.wait(scene.catalog.takesMs);
            if (scene.catalog.fails) throw new Error('the catalog fails');
            return { bazaar: { status: 'success', cataloged: true } };
          },
          status: () => CATALOG_AT_REST,
        },
      },
    );
    scene.#facilitator = await scene.until(opening);
    return scene;
  }

  #logger(): Logger {
    const at = (level: keyof Logger) => (fields: object, message: string) => {
      this.log.push({ level, fields, message });
    };
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  }

  #database(): Database {
    const { store } = this;
    const wrap = (on: Queryable): Queryable => ({
      dialect: on.dialect,
      all: async (sql, params) => {
        await this.onStatement(sql);
        const rows = await on.all<never>(sql, params);
        await this.afterRead(sql);
        return rows;
      },
      run: async (sql, params) => {
        await this.onStatement(sql);
        const changed = await on.run(sql, params);
        await this.afterChange(sql);
        return changed;
      },
    });
    return {
      ...wrap(store),
      get frozen() {
        return store.frozen;
      },
      transaction: (work) => store.transaction((within) => work(wrap(within))),
      async close() {},
    };
  }

  get facilitator(): Facilitator {
    if (this.#facilitator === undefined) throw new Error('the facilitator is not open');
    return this.#facilitator;
  }

  /** A payment that nobody has presented yet. */
  payment({
    payer,
    entry,
    ...parts
  }: Omit<PaymentParts, 'entries'> & {
    readonly payer?: TestKey;
    readonly entry?: EntryParts;
  } = {}): FacilitatorRequest {
    this.#nonces += 1n;
    const expirationLedger = this.ledger.ledger + 50;
    const signed = payer && { by: payer.address, signer: payer };
    const entries = [{ nonce: this.#nonces, expirationLedger, ...signed, ...entry }];
    return paymentRequest({ entries, ...(payer && { from: payer.address }), ...parts });
  }

  /** The nonce of the last payment. */
  get nonce(): bigint {
    return this.#nonces;
  }

  /** Under which the ledger knows the authorization of the last payment. */
  get authorization(): string {
    return `${PAYER.address}:${this.#nonces}`;
  }

  /** The only hash that the network took of the last payment. */
  get takenHash(): SettlementHash {
    const [hash, ...others] = this.ledger.taken.get(this.authorization) ?? [];
    if (hash === undefined || others.length > 0) throw new Error('not taken, or more than once');
    return hash as SettlementHash;
  }

  /** The journal's record of the last payment's authorization. */
  status(): Promise<SettlementStatus | undefined> {
    const by = { payer: PAYER.address, nonce: this.#nonces };
    return this.until(this.facilitator.findSettlement(by));
  }

  settle(request: FacilitatorRequest, caller?: Caller): Promise<SettleOutcome> {
    return this.facilitator.settle(request, undefined, caller);
  }

  /** Begins to settle it, and gets no further than a call that the server never answers. */
  async hangAt(
    call: 'simulate' | 'send' | 'lookUp',
    request: FacilitatorRequest = this.payment(),
  ): Promise<void> {
    this.network[call] = never;
    void this.settle(request);
    await this.pass(100);
  }

  /** The same, and then the process ends. */
  async endAt(call: 'simulate' | 'send' | 'lookUp', request?: FacilitatorRequest): Promise<void> {
    await this.hangAt(call, request);
    this.kill();
  }

  /**
   * From now on the server says that a ledger has a transaction before one has it.
   *
   * @returns how often it said so
   */
  lieBeforeInclusion(as: 'SUCCESS' | 'FAILED'): () => number {
    const { lookUp } = this.network;
    let lies = 0;
    this.network.lookUp = async (hash) => {
      const found = await lookUp(hash);
      if (found.status !== 'NOT_FOUND') return found;
      lies += 1;
      const { latestLedger } = found;
      const resultCode = as === 'SUCCESS' ? 'txSuccess' : 'txFailed';
      return { status: as, latestLedger, ledger: latestLedger, feeCharged: 1n, resultCode };
    };
    return () => lies;
  }

  /** From now on the server's history begins with this ledger, and shows no transaction. */
  forgetBefore(oldestLedger: number): void {
    this.network.lookUp = async () => ({
      ...{ status: 'NOT_FOUND', latestLedger: this.ledger.ledger, oldestLedger },
    });
  }

  /** Settles it, with a ledger every second. */
  async settled(request: FacilitatorRequest, caller?: Caller): Promise<SettleOutcome> {
    return this.closing(this.settle(request, caller));
  }

  /** Closes a ledger every second until a promise is settled, and returns its value. */
  async closing<T>(waited: Promise<T>): Promise<T> {
    let over = false;
    const close = (): void => {
      if (over) return;
      this.ledger.close();
      this.world.after(1_000, close);
    };
    this.world.after(1_000, close);
    try {
      return await this.until(waited);
    } finally {
      over = true;
    }
  }

  /** Lets time pass until a promise is settled, and returns its value. */
  async until<T>(waited: Promise<T>): Promise<T> {
    let over = false;
    const watched = waited.finally(() => {
      over = true;
    });
    watched.catch(() => {});
    await runTurns();
    if (!over) {
      await this.world.run(
        () => over,
        () => {},
        MAX_EVENTS,
      );
    }
    return watched;
  }

  /** Lets so many milliseconds pass. */
  async pass(milliseconds: number): Promise<void> {
    await runTurns();
    let over = false;
    this.world.after(milliseconds, () => {
      over = true;
    });
    await this.world.run(
      () => over,
      () => {},
      MAX_EVENTS,
    );
  }

  /** What was logged at a level. */
  logged(level: keyof Logger): readonly string[] {
    return this.log.filter((line) => line.level === level).map(({ message }) => message);
  }

  /** Ends the process as a power cut would. */
  kill(): void {
    this.#life.dead = true;
  }

  /** A facilitator of somebody else on the same ledger: its own accounts, its own journal. */
  elsewhere(options: Omit<SceneOptions, 'world' | 'ledger' | 'store'> = {}): Promise<ModelScene> {
    const { world, ledger } = this;
    return ModelScene.open({ world, ledger, id: 'elsewhere', elsewhere: true, ...options });
  }

  /** The same facilitator after its journal was lost, or restored from `snapshot`. */
  async restored(
    snapshot?: JournalSnapshot,
    options: Pick<SceneOptions, 'config'> = {},
  ): Promise<ModelScene> {
    const { world, ledger } = this;
    this.kill();
    const store = await openStore({ databaseUrl: null, dataFolder: null });
    if (snapshot !== undefined) await snapshot.restore(store);
    return ModelScene.open({
      world,
      ledger,
      store,
      id: 'restored',
      nonces: this.#nonces,
      ...options,
    });
  }

  /** The seller submits the buyer's entry in a transaction of its own; `first`: before all others in the queue. */
  submitBySeller({ paymentPayload }: FacilitatorRequest, place?: 'first'): SettlementHash {
    const envelope = String(paymentPayload.payload.transaction);
    return this.ledger.submitAs(SELLER, envelope, place) as SettlementHash;
  }

  /** Another process on the same store and ledger. */
  another(options: Omit<SceneOptions, 'world' | 'ledger' | 'store'> = {}): Promise<ModelScene> {
    const { world, ledger, store } = this;
    return ModelScene.open({ world, ledger, store, id: 'other', ...options });
  }
}
