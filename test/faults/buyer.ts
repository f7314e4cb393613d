import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';

/** One authorization that was presented. */
export interface Authorization {
  /** No two have the same amount, so that the amount of a transfer on the ledger identifies its buyer. */
  readonly amount: bigint;
  readonly request: FacilitatorRequest;
}

/** What became of one payment, as its buyer knows it. */
export interface Purchase {
  readonly presented: Authorization[];
  /** The authorization whose success was answered, and its hash. */
  paid: { readonly amount: bigint; readonly hash: string } | undefined;
  /** What an answer that the outcome was delivered already names as its transaction, if it says that money moved. */
  alreadyPaid?: { readonly amount: bigint; readonly hash: string };
  requests: number;
  /** Why the buyer gave up, if so. */
  gaveUp: string | undefined;
  /** How often each reason was answered. */
  readonly reasons: Map<string, number>;
}

/** What `/settle` answered, as far as a buyer looks at it. */
export interface Answer {
  readonly success?: boolean;
  readonly transaction?: string;
  readonly errorReason?: string;
  readonly reason?: string;
  readonly extra?: { readonly moneyMoved?: string };
}

/** A buyer asks until it gets the outcome, because an outcome that is owed is given at any time. */
const PATIENCE_MS = 3_600_000;
const MAX_SIGNATURES = 6;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Sends one request to an instance; `undefined` when no answer came. */
export async function askToSettle(
  url: string | undefined,
  body: string,
): Promise<Answer | undefined> {
  if (url === undefined) return undefined;
  try {
    const response = await fetch(`${url}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(30_000),
    });
    return (await response.json()) as Answer;
  } catch {
    return undefined;
  }
}

/**
 * Buys once, by the rules. Without an answer, or when it is pending, the identical request is sent
 * again, to any instance. So it is when the answer doesn't know the fate of the payment. A payment is signed again only when an
 * answer says that the last one moved no money.
 * @param ask presents a request to whichever instance is up; `undefined` when no answer came
 */
export async function buy(
  sign: () => Promise<Authorization>,
  ask: (body: string) => Promise<Answer | undefined>,
): Promise<Purchase> {
  const purchase: Purchase = {
    presented: [],
    paid: undefined,
    requests: 0,
    gaveUp: undefined,
    reasons: new Map(),
  };
  const until = Date.now() + PATIENCE_MS;
  while (purchase.presented.length < MAX_SIGNATURES) {
    const authorization = await sign();
    purchase.presented.push(authorization);
    const body = JSON.stringify(authorization.request);
    for (;;) {
      if (Date.now() > until) {
        purchase.gaveUp = 'out of time';
        return purchase;
      }
      purchase.requests++;
      const answer = await ask(body);
      const reason = answer === undefined ? 'no answer' : (answer.reason ?? answer.errorReason);
      // A success has it as null.
      if (typeof reason === 'string') {
        purchase.reasons.set(reason, (purchase.reasons.get(reason) ?? 0) + 1);
      }
      if (answer?.success === true) {
        purchase.paid = { amount: authorization.amount, hash: answer.transaction ?? '' };
        return purchase;
      }
      if (answer === undefined || answer.errorReason === 'settlement_pending') {
        await pause(50);
        continue;
      }
      const unknown =
        answer.extra?.moneyMoved === 'unknown' || answer.extra?.moneyMoved === 'not_yet';
      if (unknown || answer.reason === 'store_unavailable' || answer.reason === 'shutting_down') {
        await pause(100);
        continue;
      }
      if (answer.reason === 'authorization_replayed') {
        // Somebody got the outcome, and not this buyer: that must not happen.
        purchase.gaveUp = 'replayed';
        if (answer.extra?.moneyMoved === 'yes') {
          const { amount } = authorization;
          purchase.alreadyPaid = { amount, hash: answer.transaction ?? '' };
        }
        return purchase;
      }
      break;
    }
  }
  purchase.gaveUp = 'signed too often';
  return purchase;
}
