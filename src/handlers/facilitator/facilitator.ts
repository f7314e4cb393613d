import { STELLAR_TESTNET } from '../../protocol/index.ts';
import { supportedResponseSchema } from '../../protocol/wire/index.ts';
import type { FacilitatorAnswer, FacilitatorCall } from '../../seller/index.ts';

/** A facilitator, as sellers call it. */
export interface Facilitator {
  readonly url: string;
  ask(call: FacilitatorCall): Promise<FacilitatorAnswer>;
  /** What it adds to terms of scheme `exact`; `undefined` while it does not answer, or if it does not settle them. */
  extra(): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** Longer than a facilitator takes to answer a settlement. */
const ANSWER_MS = 40_000;
/** How long what it supports is believed. */
const SUPPORTED_MS = 300_000;

/** @param now milliseconds of a clock that does not jump */
export function connectFacilitator(url: string, now: () => number): Facilitator {
  let supported:
    | { readonly at: number; readonly extra: Readonly<Record<string, unknown>> }
    | undefined;

  async function read(path: string, init?: RequestInit): Promise<FacilitatorAnswer> {
    try {
      const response = await fetch(`${url}${path}`, {
        ...init,
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const text = await response.text();
      return { status: response.status, body: jsonIn(text) };
    } catch {
      // No answer says nothing about what the facilitator did.
      return undefined;
    }
  }
  return {
    url,
    ask: ({ path, body }) =>
      read(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async extra() {
      if (supported !== undefined && now() - supported.at < SUPPORTED_MS) return supported.extra;
      const answer = await read('/supported');
      const parsed = supportedResponseSchema.safeParse(answer?.body);
      const kind = parsed.data?.kinds.find(
        ({ scheme, network, x402Version }) =>
          scheme === 'exact' && network === STELLAR_TESTNET && x402Version === 2,
      );
      if (kind !== undefined) supported = { at: now(), extra: kind.extra ?? {} };
      return supported?.extra;
    },
  };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
