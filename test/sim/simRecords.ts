import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import type { SettleOutcome, VerifyOutcome } from '../../src/server/facilitator/index.ts';
import { settleAnswer, verifyAnswer } from '../../src/server/http/answers.ts';
import { claimOf } from '../helpers/truth/claim.ts';
import {
  type Asked,
  type Contradiction,
  type Delivered,
  type Interruption,
  judgeAnswers,
} from '../helpers/truth/judge.ts';
import type { ModelLedger } from './modelLedger.ts';
import type { SimWorld } from './simWorld.ts';

/** Every answer that a simulation delivered, to be compared with its ledger at the end. */
export class SimRecords {
  /** When each transaction was written down to leave, by its hash. */
  readonly #leftAt = new Map<unknown, number>();
  readonly #world: SimWorld;
  #order = 0;
  readonly #keys = new Map<FacilitatorRequest, string>();
  readonly #asked: Asked[] = [];
  readonly #delivered: Delivered[] = [];
  readonly #interruptions: Interruption[] = [];

  constructor(world: SimWorld) {
    this.#world = world;
  }

  /** Later than any time before: events of one moment of the simulation have an order. */
  #now(): number {
    this.#order += 1e-6;
    return this.#world.elapsed + this.#order;
  }

  /** A transaction was written down, and may leave from now on. */
  submitting(hash: unknown): void {
    if (!this.#leftAt.has(hash)) this.#leftAt.set(hash, this.#now());
  }

  /** Whether a transaction was written down. */
  isWritten(hash: string): boolean {
    return this.#leftAt.has(hash);
  }

  signed(request: FacilitatorRequest, key: string): void {
    this.#keys.set(request, key);
  }

  /** A process ended, or could not write down that its answer was delivered. */
  interrupted(from: string, kind: string): void {
    const now = this.#now();
    this.#interruptions.push({ from, kind, begun: now, ended: now });
  }

  asked(request: FacilitatorRequest): void {
    this.#asked.push({ payment: this.#keys.get(request) ?? '', at: this.#now() });
  }

  settled(request: FacilitatorRequest, outcome: SettleOutcome | undefined, from: string): void {
    if (outcome !== undefined) this.#note(request, settleAnswer(outcome).body, from);
  }

  verified(request: FacilitatorRequest, outcome: VerifyOutcome | undefined, from: string): void {
    if (outcome !== undefined) this.#note(request, verifyAnswer(outcome).body, from);
  }

  #note(request: FacilitatorRequest, body: object, from: string): void {
    const claim = claimOf(body);
    if (claim === undefined) return;
    this.#delivered.push({
      payment: this.#keys.get(request) ?? '',
      to: 'seller',
      from,
      at: this.#now(),
      claim,
      text: JSON.stringify(body),
      named: false,
      untilAskedAgain: true,
    });
  }

  /** Whether the last answer about this payment leaves its outcome open. */
  isOpen(key: string): boolean {
    const last = this.#delivered.findLast(({ payment }) => payment === key);
    if (last === undefined) return true;
    const { money } = last.claim;
    return money === 'unknown' || money === 'not_yet' || money === 'yes';
  }

  judge(ledger: ModelLedger): readonly Contradiction[] {
    const facts = [...this.#keys.values()].map((payment) => ({
      payment,
      moved: [...ledger.included.values()]
        .filter((one) => one.succeeded && one.transaction.authorization === payment)
        .map(({ transaction: { hash }, ledger: sequence }) => ({
          hash,
          ledger: sequence,
          leftAt: this.#leftAt.get(hash),
        })),
    }));
    return judgeAnswers(facts, this.#delivered, this.#asked, this.#interruptions).contradictions;
  }
}
