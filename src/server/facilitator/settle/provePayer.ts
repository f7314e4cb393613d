import { within } from '../../clock.ts';
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

/** A payment is refused if its first call would wait longer than this, or one of an earlier payment has waited longer. */
const MAX_LIMITED_MS = 1_500;

/**
 * Returns the refusal of a new payment while earlier ones use up the RPC server's limit of calls; `undefined` if there is room
 * for its calls. Nothing is read for it, so that refusals do not use the limit up as well.
 */
export function refuseIfLimited(
  payer: Refusal['payer'],
  { network }: Pick<FacilitatorParts, 'network'>,
): Refusal | undefined {
  const { limitedForMs } = network;
  if (limitedForMs <= MAX_LIMITED_MS) return undefined;
  const detail = `its calls would wait for ${(limitedForMs / 1_000).toFixed(1)} s`;
  return { ...refusal('ledger_limited', payer, detail), known: { moneyMoved: 'unknown' } };
}

/** Simulates a payment, if the RPC server's limit has room for it. Rejects with RpcError. */
export async function simulatePayment(
  { scheme, payment }: Presented,
  { clock, network }: Pick<FacilitatorParts, 'clock' | 'network'>,
): Promise<SimulatedOr<Refusal>> {
  const limited = refuseIfLimited(payment.payer, { network });
  if (limited !== undefined) return { ok: false, rejection: limited };
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
    const detail = begun
      ? undefined
      : 'earlier payments of the same client were being simulated all that time';
    return { ok: false, rejection: refusal('ledger_too_slow', payer, detail) };
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
