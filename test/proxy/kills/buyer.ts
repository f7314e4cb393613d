import { setTimeout as pause } from 'node:timers/promises';
import { decodeHeaderMessage, encodeHeaderMessage } from '../../../src/protocol/index.ts';
import {
  type MppChallenge,
  readChallenges,
  readReceipt,
  sourceOf,
  writeCredential,
} from '../../../src/protocol/mpp/index.ts';
import { freshPayment } from '../../support/freshPayment.ts';
import type { LocalNetwork } from '../../support/localStack.ts';
import type { TestKey } from '../../support/payer.ts';
import { type Answer, ask, termsIn } from '../support/shop.ts';

/** How a buyer pays; `double`: one transaction by both protocols at the same time. */
export type Manner = 'x402' | 'mpp' | 'double';

/** What a buyer asks for. */
export interface Wish {
  readonly target: string;
  /** Of a POST; `undefined` for a GET. */
  readonly body: string | undefined;
}

/** The headers that present one payment. */
export type Presentation = Readonly<Record<string, string>>;

/** What an answer says about a sale. */
export type Outcome =
  | {
      readonly kind: 'delivered';
      readonly transaction: string;
      /** Whether the body is the one of this request. */
      readonly isRight: boolean;
      /** Receipt and body, for comparison with the answer to a replay. */
      readonly text: string;
    }
  /** @property transaction empty if the receipt is of MPP, which has none beside a failure */
  | { readonly kind: 'gone'; readonly transaction: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'open' };

/** Sends a request with these headers. */
export function send(url: string, { target, body }: Wish, headers: Presentation): Promise<Answer> {
  return ask(url, target, {
    headers,
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
}

/** A payment in the form of each protocol. */
export interface Payment {
  readonly x402: Presentation;
  readonly mpp: Presentation;
}

/** Asks for the price of a request, and signs one payment for it. @throws Error if there is no price now */
export async function sign(
  network: LocalNetwork,
  payer: TestKey,
  payTo: TestKey,
  url: string,
  wish: Wish,
): Promise<Payment> {
  const asked = await send(url, wish, {});
  if (asked.status !== 402) throw new Error(`${wish.target}: ${asked.status} ${asked.body}`);
  const [accepted] = termsIn(asked).accepts;
  const [challenge] = readChallenges(String(asked.headers['www-authenticate']));
  if (challenge === undefined) throw new Error(`${wish.target}: no challenge`);
  const expirationLedger = (await network.network.getLatestLedger()) + 20;
  const { paymentPayload } = await freshPayment(network, payer, payTo, {
    amount: BigInt(accepted?.amount ?? 0),
    entry: { expirationLedger },
  });
  return {
    x402: { 'payment-signature': encodeHeaderMessage({ ...paymentPayload, accepted }) },
    mpp: credentialFor(challenge, payer, String(paymentPayload.payload['transaction'])),
  };
}

function credentialFor(challenge: MppChallenge, payer: TestKey, transaction: string): Presentation {
  const source = sourceOf('stellar:testnet', payer.address);
  const payload = { type: 'transaction', transaction };
  return { authorization: writeCredential({ challenge, source, payload }) };
}

/** Returns the hash in the receipt of an answer, whichever protocol wrote it; `undefined` without a receipt of a success. */
function paidIn({ headers }: Answer): string | undefined {
  const settlement = headers['payment-response'];
  if (settlement !== undefined) {
    const { success, transaction } = decodeHeaderMessage(String(settlement)) as {
      readonly success?: unknown;
      readonly transaction?: unknown;
    };
    return success === true ? String(transaction) : undefined;
  }
  const receipt = readReceipt(String(headers['payment-receipt']));
  return receipt?.status === 'success' ? receipt.reference : undefined;
}

/** Reads an answer; `undefined` if the identical request has to be sent again. */
export function outcomeOf(answer: Answer, { target, body }: Wish): Outcome | undefined {
  const transaction = paidIn(answer);
  const text = answer.body.toString();
  const isRight = text === `this is ${target}${body === undefined ? '' : ` ${body}`}`;
  if (answer.status === 200) {
    if (transaction === undefined) return { kind: 'refused', reason: UNPAID };
    const receipt = answer.headers['payment-response'] ?? answer.headers['payment-receipt'];
    return { kind: 'delivered', transaction, isRight, text: `${String(receipt)} ${text}` };
  }
  if (answer.status === 410) return { kind: 'gone', transaction: transaction ?? '' };
  return answer.status === 402 ? { kind: 'refused', reason: text.slice(0, 160) } : undefined;
}

/** The reason of an answer that gives something away. */
export const UNPAID = 'delivered without a payment';

/** How long a buyer waits for an answer to such an attempt. */
const ANSWER_WITHIN_MS = 60_000;

/** Ways to get more than was paid for. */
export type Misuse =
  | 'replayed'
  | 'for another target'
  | 'for another body'
  | 'by the other protocol';
export const MISUSES: readonly Misuse[] = [
  ...['replayed', 'for another target', 'for another body', 'by the other protocol'],
] as Misuse[];

/**
 * Presents a payment again whose sale was delivered, until there is an answer.
 * @returns what is wrong with the answer; `undefined` if nothing is
 */
export async function misuse(
  how: Misuse,
  url: string,
  wish: Wish,
  payment: Payment,
  by: keyof Payment,
  delivered: Extract<Outcome, { kind: 'delivered' }>,
): Promise<string | undefined> {
  const other = by === 'x402' ? 'mpp' : 'x402';
  const asked: Wish = {
    target: how === 'for another target' ? `${wish.target}/gold` : wish.target,
    body: how === 'for another body' ? `${wish.body ?? ''} and more` : wish.body,
  };
  const headers = payment[how === 'by the other protocol' ? other : by];
  let answer: Answer | undefined;
  for (const until = Date.now() + ANSWER_WITHIN_MS; Date.now() < until; ) {
    answer = await send(url, asked, headers).catch(() => undefined);
    if (answer !== undefined && answer.status < 500) break;
    await pause(150);
  }
  if (answer === undefined || answer.status >= 500) return `${how}: no answer`;
  if (how !== 'replayed') {
    return answer.status === 402 || answer.status === 409 ? undefined : `${how}: ${answer.status}`;
  }
  const again = outcomeOf(answer, wish);
  const isSame = again?.kind === 'delivered' && again.text === delivered.text;
  return isSame ? undefined : `${how}: ${answer.status} ${answer.body.toString().slice(0, 160)}`;
}
