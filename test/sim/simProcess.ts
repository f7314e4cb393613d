import { Hono } from 'hono';
import { type Facilitator, openFacilitator } from '../../src/server/facilitator/index.ts';
import { mountSettlements } from '../../src/server/http/settlements/mountSettlements.ts';
import { silentLogger } from '../../src/server/logger.ts';
import { RpcError } from '../../src/server/network/index.ts';
import { type Database, StoreError } from '../../src/server/store/index.ts';
import type { Circumstance } from './circumstances.ts';
import type { ModelLedger } from './modelLedger.ts';
import { CATALOG_AT_REST, type SimHolder } from './simAccounts.ts';
import { type DiskMood, StoreCopies, simDatabase } from './simDatabase.ts';
import { type ServerMood, simNetwork } from './simNetwork.ts';
import type { SimRecords } from './simRecords.ts';
import { Life, type SimWorld } from './simWorld.ts';

export interface SimProcessParts {
  readonly name: string;
  readonly holder: SimHolder;
  readonly circumstance: Circumstance;
  readonly world: SimWorld;
  readonly ledger: ModelLedger;
  readonly store: Database;
  readonly server: ServerMood;
  readonly disk: DiskMood;
  readonly records: SimRecords;
  /** Hashes that the catalog has. */
  readonly cataloged: Set<string>;
}

/** How a client of the service behaves. */
export interface SimClient {
  /** How long it waits for an answer. */
  readonly patienceMs: number;
}

/** A facilitator's process, which ends at any moment and starts again on the same store. */
export class SimProcess {
  readonly #parts: SimProcessParts;
  readonly #copies: StoreCopies;
  #facilitator: Facilitator | undefined;
  #life: Life;
  #starts = 0;
  #names = 0;
  crashes = 0;

  constructor(parts: SimProcessParts) {
    this.#parts = parts;
    this.#life = new Life(parts.world);
    this.#copies = new StoreCopies(parts.store, parts.world, parts.circumstance.setBack);
  }

  /** The service, while it is up. */
  get facilitator(): Facilitator | undefined {
    return this.#facilitator;
  }

  /** Its name in this life. */
  get name(): string {
    return `${this.#parts.name}${this.crashes}`;
  }

  end(): void {
    this.#life.dead = true;
  }

  #kill(): void {
    if (this.#life.dead) return;
    const { world, records } = this.#parts;
    world.note(`${this.name} is killed`);
    this.end();
    this.#facilitator = undefined;
    records.interrupted(this.name, 'kill');
    this.crashes++;
    world.after(100 + world.random.below(4_000), () => void this.start());
  }

  async start(): Promise<void> {
    const { world, ledger, store, server, disk, records, holder, cataloged } = this.#parts;
    const life = new Life(world);
    this.#life = life;
    if (this.#starts++ > 0) {
      const since = await this.#copies.setBack();
      if (since !== undefined) records.forgotten(since);
    }
    const { name } = this;
    world.note(`${name} starts`);
    const kill = (): void => this.#kill();
    const database = simDatabase(
      store,
      world,
      life,
      disk,
      kill,
      (hash) => records.submitting(hash),
      () => records.interrupted(name, 'full disk'),
    );
    try {
      const opened = await openFacilitator(holder.config, {
        network: simNetwork(ledger, world, life, server, kill),
        clock: life.clock,
        logger: silentLogger,
        database,
        signers: holder.signers,
        newId: () => `${this.#parts.name}${(++this.#names).toString().padStart(6, '0')}`,
        catalog: {
          async onSettled({ hash }) {
            if (cataloged.has(hash)) world.note(`the catalog knows ${hash.slice(0, 8)}`);
            cataloged.add(hash);
            return {};
          },
          status: () => CATALOG_AT_REST,
        },
      });
      if (!life.dead) this.#facilitator = opened;
    } catch (error) {
      if (!(error instanceof RpcError || error instanceof StoreError)) throw error;
      // It refused to start, and its operator starts it again.
      world.note(`${name} does not start: ${error.message}`);
      life.dead = true;
      world.after(1_000, () => void this.start());
    }
  }

  /**
   * Asks the service; no answer if it ends, or if it takes longer than the client waits.
   * @param ask gets a promise of whether the answer was delivered
   */
  asked<T>(
    ask: (service: Facilitator, delivered: Promise<boolean>) => Promise<T>,
    { patienceMs }: SimClient,
  ): Promise<T | undefined> {
    const { world } = this.#parts;
    const service = this.#facilitator;
    const life = this.#life;
    return new Promise((resolve, reject) => {
      if (service === undefined) {
        world.after(20, () => resolve(undefined));
        return;
      }
      let over = false;
      let tellDelivered: (delivered: boolean) => void = () => undefined;
      const delivered = new Promise<boolean>((tell) => {
        tellDelivered = tell;
      });
      const finish = (answer: T | undefined): void => {
        if (over) return;
        over = true;
        tellDelivered(answer !== undefined);
        resolve(answer);
      };
      const until = world.now + patienceMs;
      const watch = (): void => {
        if (life.dead || world.now >= until) finish(undefined);
        else if (!over) world.after(Math.min(500, until - world.now), watch);
      };
      watch();
      ask(service, delivered).then((answer) => {
        if (!life.dead) finish(answer);
      }, reject);
    });
  }

  /** The body of `GET /settlements` for an authorization. */
  async read(payer: string, nonce: bigint, client: SimClient): Promise<object | undefined> {
    return this.asked(async (service) => {
      const app = new Hono() as Parameters<typeof mountSettlements>[0];
      mountSettlements(app, service);
      const response = await app.request(`/settlements?payer=${payer}&nonce=${nonce}`);
      return (await response.json()) as object;
    }, client);
  }

  /** Deletes rows that are finished, as an operator does who needs space. */
  async trim(): Promise<void> {
    await this.#parts.store.run(
      `DELETE FROM settlements WHERE state NOT IN ('claimed', 'submitting') AND catalog <> 'due'`,
    );
  }

  /** Work that is open in the journal. */
  async openWork(): Promise<number> {
    const [row] = await this.#parts.store.all<{ n: number }>(
      `SELECT COUNT(*) AS n FROM settlements
       WHERE state IN ('claimed', 'submitting') OR catalog = 'due'`,
    );
    return Number(row?.n ?? 0);
  }
}
