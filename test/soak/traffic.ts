import {
  type Answer,
  type Authorization,
  askToSettle,
  buy,
  type Purchase,
} from '../faults/buyer.ts';
import type { Random } from '../helpers/random.ts';
import { Payments, type Sale } from './payments.ts';
import { readings } from './readings.ts';
import { OK, type Recorder } from './recorder.ts';
import type { SoakWorld } from './world.ts';

/** What is asked, and how often of a hundred times. */
const MIX = {
  exact: 30,
  upto: 8,
  verify: 12,
  invalid: 8,
  replay: 6,
  list: 8,
  search: 8,
  policies: 8,
  rpc: 8,
  horizon: 4,
} as const;

export type Kind = keyof typeof MIX;

/** A purchase as its buyer knows it in the end. */
export interface Bought extends Sale {
  /** The amounts that were presented, one after the other. */
  readonly presented: readonly bigint[];
  readonly paid: Purchase['paid'];
  readonly gaveUp: string | undefined;
}

interface Replayable {
  readonly body: string;
  readonly hash: string;
}

const KEPT_FOR_REPLAY = 50;
const ANSWER_MS = 30_000;

/** Sends requests of all kinds, and keeps the answers that buyers got. */
export class Traffic {
  readonly bought: Bought[] = [];
  /** What must not happen: invalid payments that were accepted, replays that settled again. */
  readonly broken: string[] = [];
  /** Replays that got the answer again that the first request got, or should have got. */
  toldAgain = 0;
  recorder: Recorder;
  readonly #world: SoakWorld;
  readonly #random: Random;
  readonly #payments: Payments;
  readonly #settled: Replayable[] = [];

  constructor(world: SoakWorld, random: Random, recorder: Recorder) {
    this.#world = world;
    this.#random = random;
    this.recorder = recorder;
    this.#payments = new Payments(world, random);
  }

  get signed(): number {
    return this.#payments.signed;
  }

  draw(): Kind {
    let left = this.#random.below(100);
    for (const kind of Object.keys(MIX) as Kind[]) {
      left -= MIX[kind];
      if (left < 0) return kind;
    }
    return 'exact';
  }

  /** One request of a kind, or a whole purchase. */
  async run(kind: Kind): Promise<void> {
    switch (kind) {
      case 'exact':
        return this.#buy(kind, (sale) => this.#payments.exact(sale));
      case 'upto':
        return this.#buy(kind, (sale) => this.#payments.upto(sale));
      case 'verify':
        return this.#verify();
      case 'invalid':
        return this.#invalid();
      case 'replay':
        return this.#replay();
      default: {
        const request = readings[kind](this.#world, this.#random);
        await this.recorder.time(
          kind,
          () => request(this.#url()),
          ({ status }) => (status < 400 ? OK : `HTTP ${status}`),
        );
      }
    }
  }

  /** An instance that is up, as a load balancer would choose; one that is frozen still seems up. */
  #url(): string | undefined {
    const up = this.#world.instances.map(({ url }) => url).filter((url) => url !== undefined);
    return up.length === 0 ? undefined : this.#random.pick(up);
  }

  async #buy(kind: 'exact' | 'upto', sign: (sale: Sale) => Promise<Authorization>): Promise<void> {
    const sale = this.#payments.nextSale();
    const bodies = new Map<bigint, string>();
    const purchase = await this.recorder.time(
      `${kind}: whole purchase`,
      () =>
        buy(
          async () => {
            const authorization = await sign(sale);
            bodies.set(authorization.amount, JSON.stringify(authorization.request));
            return authorization;
          },
          (body) => this.#settle(kind, body),
        ),
      ({ paid, gaveUp }) => (paid === undefined ? (gaveUp ?? 'not paid') : OK),
    );
    if (purchase === undefined) {
      this.broken.push(`${kind}: the buyer broke off`);
      return;
    }
    const { presented, paid, gaveUp } = purchase;
    this.bought.push({ ...sale, presented: presented.map(({ amount }) => amount), paid, gaveUp });
    const body = paid && bodies.get(paid.amount);
    if (paid === undefined || body === undefined) return;
    this.#settled.push({ body, hash: paid.hash });
    if (this.#settled.length > KEPT_FOR_REPLAY) this.#settled.shift();
  }

  #settle(kind: string, body: string): Promise<Answer | undefined> {
    return this.recorder.time(
      `${kind}: /settle`,
      async () => {
        const answer = await askToSettle(this.#url(), body);
        if (answer === undefined) throw new Error('no answer');
        return answer;
      },
      codeOf,
    );
  }

  async #verify(): Promise<void> {
    const { request } = await this.#payments.exact(this.#payments.nextSale());
    const body = JSON.stringify(request);
    await this.recorder.time('verify', () => post(this.#url(), '/verify', body), codeOf);
  }

  async #invalid(): Promise<void> {
    const body = JSON.stringify(await this.#payments.invalid(this.#payments.nextSale()));
    const path = this.#random.chance(0.5) ? '/verify' : '/settle';
    const answer = await this.recorder.time(
      `invalid: ${path}`,
      () => post(this.#url(), path, body),
      codeOf,
    );
    if (answer?.isValid === true || answer?.success === true) {
      this.broken.push(`an invalid payment was taken by ${path}`);
    }
  }

  /** Presents a payment again after its buyer got a success. */
  async #replay(): Promise<void> {
    if (this.#settled.length === 0) return;
    const { body, hash } = this.#random.pick(this.#settled);
    const answer = await this.recorder.time(
      'replay',
      () => post(this.#url(), '/settle', body),
      codeOf,
    );
    if (answer?.success !== true) return;
    if (answer.transaction === hash) this.toldAgain++;
    else this.broken.push(`a replay of ${hash} settled as ${answer.transaction}`);
  }
}

interface FacilitatorAnswer extends Answer {
  readonly isValid?: boolean;
  readonly invalidReason?: string;
  readonly error?: string;
}

async function post(
  url: string | undefined,
  path: string,
  body: string,
): Promise<FacilitatorAnswer> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  return (await response.json()) as FacilitatorAnswer;
}

/** How a request ended: its reason where it was refused. */
function codeOf(answer: FacilitatorAnswer): string {
  if (answer.success === true || answer.isValid === true) return OK;
  return answer.reason ?? answer.errorReason ?? answer.invalidReason ?? answer.error ?? 'unknown';
}
