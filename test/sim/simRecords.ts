import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { type Claim, claimOf } from '../helpers/truth/claim.ts';
import {
  type Asked,
  type Contradiction,
  type Delivered,
  type Interruption,
  judgeAnswers,
  type LedgerFacts,
  type Movement,
} from '../helpers/truth/judge.ts';
import type { ModelLedger } from './modelLedger.ts';
import type { SimWorld } from './simWorld.ts';

/** One signature of a simulated buyer. */
export interface SimAuthorization {
  /** Payer, nonce and expiration. */
  readonly id: string;
  /** Payer and nonce. */
  readonly key: string;
  readonly payer: string;
  readonly nonce: bigint;
  readonly expirationLedger: number;
  readonly request: FacilitatorRequest;
  /** The sale that it is for, if the buyer means to pay that once. */
  readonly sale: string | undefined;
}

/** Every answer that a simulation delivered, to be compared with its ledger. */
export class SimRecords {
  readonly #world: SimWorld;
  readonly #ledger: ModelLedger;
  #order = 0;
  readonly #written = new Set<unknown>();
  readonly #authorizations: SimAuthorization[] = [];
  readonly #asked: Asked[] = [];
  readonly #delivered: Delivered[] = [];
  readonly #interruptions: Interruption[] = [];

  constructor(world: SimWorld, ledger: ModelLedger) {
    this.#world = world;
    this.#ledger = ledger;
  }

  /** Later than any time before: events of one moment of the simulation have an order. */
  #now(): number {
    this.#order += 1e-6;
    return this.#world.elapsed + this.#order;
  }

  /** A transaction was written down, and may leave from now on. */
  submitting(hash: unknown): void {
    this.#written.add(hash);
  }

  /** Whether a transaction was written down. */
  isWritten(hash: string): boolean {
    return this.#written.has(hash);
  }

  signed(authorization: SimAuthorization): void {
    this.#authorizations.push(authorization);
  }

  get authorizations(): readonly SimAuthorization[] {
    return this.#authorizations;
  }

  /** A process ended, or could not write down that its answer was delivered. */
  interrupted(from: string, kind: string): void {
    const now = this.#now();
    this.#interruptions.push({ from, kind, begun: now, ended: now });
  }

  /** A store lost what was written after a moment, by whatever process. */
  forgotten(since: number): void {
    const begun = this.#world.elapsed - (this.#world.now - since);
    const ended = this.#now();
    for (const from of new Set(this.#delivered.map((one) => one.from))) {
      this.#interruptions.push({ from, kind: 'store set back', begun, ended });
    }
  }

  /** A question leaves; the result notes its answer. */
  asking(
    { id }: SimAuthorization,
    path: '/verify' | '/settle' | '/settlements',
    from: string,
  ): (body: object | undefined) => Claim | undefined {
    const seen = this.#ledger.ledger;
    if (path === '/settle') this.#asked.push({ payment: id, at: this.#now() });
    return (body) => {
      const claim = body && claimOf(body);
      const said = claim === undefined ? (body === undefined ? 'no answer' : 'valid') : claim.money;
      this.#world.note(
        `${path} ${id.slice(-12)} to ${from}: ${said}${claim?.sale ? ', sold' : ''}`,
      );
      if (claim === undefined) return undefined;
      this.#delivered.push({
        ...{ payment: id, to: 'seller', from, at: this.#now(), seen, claim, named: false },
        text: `${path} ${JSON.stringify(body)}`,
      });
      return claim;
    };
  }

  /** The last answer about an authorization. */
  last({ id }: SimAuthorization): Claim | undefined {
    return this.#delivered.findLast(({ payment }) => payment === id)?.claim;
  }

  /** Whether an answer let the seller hand out what was bought. */
  isSold({ id }: SimAuthorization): boolean {
    return this.#delivered.some(({ payment, claim }) => payment === id && claim.sale);
  }

  /** Compares all answers so far with the ledger. */
  judge(): readonly Contradiction[] {
    const included = [...this.#ledger.included.values()].filter(({ succeeded }) => succeeded);
    const facts = this.#authorizations.map(({ id, key, expirationLedger, sale }): LedgerFacts => {
      const moved: Movement[] = [];
      const kin: Movement[] = [];
      for (const { transaction, ledger, arrived, event } of included) {
        if (transaction.authorization !== key) continue;
        const isOwn = transaction.transfer?.expirationLedger === expirationLedger;
        (isOwn ? moved : kin).push({
          ...{ hash: transaction.hash, ledger, arrived },
          shown: event?.amount ?? 0n,
        });
      }
      return { payment: id, moved, kin, sale };
    });
    return judgeAnswers(facts, this.#delivered, this.#asked, this.#interruptions).contradictions;
  }
}
