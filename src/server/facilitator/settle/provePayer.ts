import type { StellarAddress } from '../../../protocol/index.ts';
import type { Clock } from '../../clock.ts';
import { RpcError } from '../../network/index.ts';
import { StoreError } from '../../store/index.ts';
import type { FacilitatorParts } from '../facilitatorParts.ts';
import {
  type PaymentScheme,
  type PreparedPayment,
  type Refusal,
  refusal,
  refusalOf,
  type SettleOutcome,
} from '../payment/index.ts';
import { within } from '../within.ts';
import type { Caller } from './answerInTime.ts';
import type { SignedPayment, Simulated } from './settling.ts';

/** Whether the ledger accepts a payment now. */
export type SimulatedOr<R> =
  | { readonly ok: true; readonly simulated: Simulated }
  | { readonly ok: false; readonly rejection: R };

interface Presented {
  readonly scheme: PaymentScheme;
  readonly payment: PreparedPayment;
}

/** Simulates a payment. Rejects with RpcError. */
export async function simulatePayment(
  { scheme, payment }: Presented,
  { clock }: Pick<FacilitatorParts, 'clock'>,
): Promise<SimulatedOr<Refusal>> {
  const begunAt = clock.elapsed();
  const checked = await scheme.simulate(payment, payment.envelope);
  return checked.ok
    ? { ok: true, simulated: { success: checked.value, begunAt } }
    : { ok: false, rejection: refusalOf(checked.rejection, payment.payer) };
}

/**
 * Simulates a payment whose payer has not proved itself. The client waits for its turn; nothing of the payer's is reserved or
 * recorded meanwhile.
 * @param deadline elapsed time of the clock by which the caller must have its answer
 */
async function simulateUnproven(
  presented: Presented,
  caller: Caller | undefined,
  deadline: number,
  parts: FacilitatorParts,
): Promise<SimulatedOr<Refusal>> {
  const { clock, unproven } = parts;
  const { payer } = presented.payment;
  const left = deadline - clock.elapsed();
  let begun = false;
  try {
    const simulating = unproven.inTurn(caller?.client ?? '', payer, left, () => {
      begun = true;
      return simulatePayment(presented, parts);
    });
    const simulated = await within(simulating, left, clock);
    if (simulated !== undefined) return simulated;
    const rejection = begun
      ? refusal('ledger_too_slow', payer)
      : refusal('rate_limited', payer, 'too many unproven payers at once');
    return { ok: false, rejection };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { ok: false, rejection: refusal('submission_failed', payer, error.message) };
  }
}

/** Without the payer's authorization there is nothing to claim; verification returns the reason. */
export async function refuseUnauthorized(
  presented: Presented,
  caller: Caller | undefined,
  deadline: number,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const simulated = await simulateUnproven(presented, caller, deadline, parts);
  const { payer } = presented.payment;
  const rejection = simulated.ok ? refusal('no_auth_entries', payer) : simulated.rejection;
  return { status: 'rejected', rejection };
}

/** Whether the journal has the authorization: then an earlier request has proved its payer. Rejects with StoreError. */
async function isKnown(
  { payment }: SignedPayment,
  deadline: number,
  { journal, clock }: FacilitatorParts,
): Promise<boolean> {
  const finding = journal.findByKey(payment.authorization.key).then((record) => ({ record }));
  const found = await within(finding, deadline - clock.elapsed(), clock);
  if (found === undefined) throw new StoreError('unreachable', 'no answer in time');
  return found.record !== undefined && found.record.state !== 'never_sent';
}

/** Whether a payer has proved itself, with the simulation if it took one. */
export type Proof =
  | { readonly ok: true; readonly simulated: Simulated | undefined }
  | { readonly ok: false; readonly rejection: Refusal };

const PROVED: Proof = { ok: true, simulated: undefined };

/**
 * Lets the payer prove itself before anything is recorded or reserved in its name: by a signature that can be verified here, or
 * by a simulation, which only the caller waits for. Rejects with StoreError.
 * @returns the simulation, if there was one
 */
export async function provePayer(
  presented: SignedPayment,
  caller: Caller | undefined,
  deadline: number,
  parts: FacilitatorParts,
): Promise<Proof> {
  const { payment, scheme } = presented;
  const verdict = payment.authorization.judgeSignature();
  if (verdict === 'invalid') {
    return { ok: false, rejection: refusal(scheme.badSignature, payment.payer) };
  }
  if (verdict === 'valid' || (await isKnown(presented, deadline, parts))) return PROVED;
  const simulated = await simulateUnproven(presented, caller, deadline, parts);
  // An identical request may have settled it meanwhile: then this one gets its outcome.
  if (!simulated.ok && (await isKnown(presented, deadline, parts))) return PROVED;
  return simulated;
}

/** Simulations for one client at one time. */
const MAX_PER_CLIENT = 8;
/** Of these, for one payer that it names. */
const MAX_PER_PAYER = 4;

interface Waiting {
  readonly payer: StellarAddress;
  serve(): void;
}

/** One client with payments in simulation. */
class Line {
  readonly #running = new Map<StellarAddress, number>();
  readonly #waiting = new Set<Waiting>();
  #total = 0;

  get isEmpty(): boolean {
    return this.#total === 0 && this.#waiting.size === 0;
  }

  async enter(payer: StellarAddress, waitMs: number, clock: Clock): Promise<boolean> {
    if (this.#start(payer)) return true;
    return new Promise((resolve) => {
      const waiting: Waiting = {
        payer,
        serve: () => {
          giveUp();
          this.#waiting.delete(waiting);
          resolve(true);
        },
      };
      const giveUp = clock.after(waitMs, () => {
        this.#waiting.delete(waiting);
        resolve(false);
      });
      this.#waiting.add(waiting);
    });
  }

  #start(payer: StellarAddress): boolean {
    const running = this.#running.get(payer) ?? 0;
    if (this.#total >= MAX_PER_CLIENT || running >= MAX_PER_PAYER) return false;
    this.#total += 1;
    this.#running.set(payer, running + 1);
    return true;
  }

  leave(payer: StellarAddress): void {
    const running = this.#running.get(payer) ?? 0;
    this.#total -= 1;
    if (running > 1) this.#running.set(payer, running - 1);
    else this.#running.delete(payer);
    for (const waiting of this.#waiting) if (this.#start(waiting.payer)) waiting.serve();
  }
}

/**
 * Bounds the simulations for payers whose signatures only the ledger can judge. The bound is the client's, who waits for its own
 * requests: a payer that others name waits for none of theirs.
 */
export class UnprovenPayers {
  readonly #clock: Clock;
  readonly #lines = new Map<string, Line>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Runs the work in the client's turn.
   * @returns `undefined` if its turn did not come in time
   */
  async inTurn<T>(
    client: string,
    payer: StellarAddress,
    waitMs: number,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    const line = this.#lines.get(client) ?? new Line();
    this.#lines.set(client, line);
    try {
      if (!(await line.enter(payer, waitMs, this.#clock))) return undefined;
      try {
        return await work();
      } finally {
        line.leave(payer);
      }
    } finally {
      if (line.isEmpty) this.#lines.delete(client);
    }
  }
}
