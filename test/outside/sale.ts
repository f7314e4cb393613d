import { decodeHeaderMessage, encodeHeaderMessage, USDC_ISSUER } from '../../src/protocol/index.ts';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import {
  accountSigner,
  createX402Fetch,
  lookUpPayment,
  type SentPayment,
  X402Error,
} from '../../src/sdk/index.ts';
import { prepareExact } from '../../src/server/facilitator/schemes/index.ts';
import type { Random } from '../helpers/random.ts';
import { type Claim, claimInWords, claimOf } from '../helpers/truth/claim.ts';
import { BUYER } from '../helpers/truth/judge.ts';
import type { TestKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';
import { type Abort, askFacilitator, type FacilitatorAnswer } from './askFacilitator.ts';
import type { Attribution } from './attribution.ts';
import type { Records, SignedPayment } from './records.ts';
import { pause } from './spoiltCall.ts';
import type { KillPoint, Weather } from './weather.ts';

/** An instance as sellers reach it. */
export interface Reachable {
  readonly name: string;
  readonly url: string | undefined;
}

/** An instance that was killed is up again within seconds, so after this time none is going to start. */
const ALL_DOWN_MS = 120_000;

/** How the seller treats the buyer. */
const MANNERS = ['honest', 'denies', 'goes silent'] as const;

/** One payment as the seed has it. */
export interface SalePlan {
  readonly payment: string;
  readonly amount: bigint;
  readonly buyer: TestKey;
  readonly weather: Weather;
  readonly weatherMs: number;
  readonly maxTimeoutSeconds: number;
  /** The name of the sale, by the extension payment-identifier. */
  readonly identifier: string | undefined;
  readonly verifies: boolean;
  /** Whether each request is sent to two instances, or to one twice, at once. */
  readonly atTwo: boolean;
  /** How the client abandons its first requests. */
  readonly aborts: readonly Abort[];
  /** How often the seller asks before it answers the buyer. */
  readonly rounds: number;
  readonly manner: (typeof MANNERS)[number];
  /** Whether the seller asks again after it got a success. */
  readonly asksAgain: boolean;
  readonly killAt: KillPoint | undefined;
  /** When somebody else sends the payment's operation to the network, too. */
  readonly sentElsewhereAfterMs: number | undefined;
  /** Whether the seller is the asset's issuer, so that the payment is burnt. */
  readonly toIssuer: boolean;
}

export interface Shop {
  readonly rpcUrl: string;
  readonly seller: string;
  readonly attribution: Attribution;
  readonly records: Records;
  readonly random: Random;
  readonly instances: readonly Reachable[];
  /** The network's latest ledger, seen a moment ago. */
  readonly latestLedger: () => Promise<number>;
  /** Sends the bytes of a payment's operation in a transaction of another account. */
  readonly sendElsewhere: (sender: string, operation: Uint8Array) => Promise<void>;
}

const SELLER = 'http://seller.test';
/** How long an outcome may take that is known while the authorization can still pay. */
const LEARN_MS = 90_000;
/** Nothing proves that a refused authorization never pays until its last ledger has closed. */
const MAX_LEARN_MS = 300_000;

export function chooseManner(random: Random): SalePlan['manner'] {
  return random.chance(0.6) ? 'honest' : random.pick(MANNERS);
}

/** One purchase, from its signature until everybody has its outcome. */
export class Sale {
  readonly plan: SalePlan;
  readonly #shop: Shop;
  /** The request with the latest signature. */
  #request:
    | { readonly body: string; readonly nonce: bigint; readonly signed: SignedPayment }
    | undefined;
  #asked = 0;
  #sentElsewhere: Promise<void> = Promise.resolve();
  /** What the last requests got; `undefined` while some got nothing. */
  #last: Claim | undefined;

  constructor(plan: SalePlan, shop: Shop) {
    this.plan = plan;
    this.#shop = shop;
  }

  async run(): Promise<void> {
    const { weather } = this.plan;
    const sent = await this.#buy();
    while (!weather.isOver) await pause(50);
    weather.end();
    if (this.#request === undefined) return;
    await this.#sentElsewhere;
    await this.#learn();
    if (sent !== undefined) await this.#lookUp(sent);
  }

  /** @returns what the buyer can look up, when the SDK left it unknown */
  async #buy(): Promise<SentPayment | undefined> {
    const { buyer } = this.plan;
    const seen = await this.#shop.latestLedger();
    const fetching: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      if (!request.url.startsWith(SELLER)) return fetch(request);
      const header = request.headers.get('PAYMENT-SIGNATURE');
      return header === null ? this.#challenge() : this.#sell(header);
    };
    const pay = createX402Fetch({
      signer: accountSigner(buyer.address, buyer.sign),
      rpcUrl: this.#shop.rpcUrl,
      allowedAssets: [USDC],
      fetch: fetching,
    });
    try {
      const response = await pay(`${SELLER}/goods`);
      this.#toBuyer('yes', undefined, `given the resource, ${response.status}`, seen);
      return undefined;
    } catch (error) {
      if (!(error instanceof X402Error)) throw error;
      const { moneyMoved, payment, message } = error;
      const transaction = 'transaction' in error ? String(error.transaction) : undefined;
      this.#toBuyer(moneyMoved, transaction, `${error.name}: ${message}`, seen);
      return moneyMoved === 'yes' || moneyMoved === 'no' ? undefined : payment;
    }
  }

  /** Notes what the SDK reported. @param seen the latest ledger when it was asked */
  #toBuyer(
    money: Claim['money'],
    transaction: string | undefined,
    text: string,
    seen: number,
  ): void {
    if (this.#request === undefined) return;
    const hash = transaction === '' ? undefined : transaction;
    const payment = this.#request.signed.id;
    const claim = claimInWords(money, text, { hash });
    const at = performance.now();
    this.#shop.records.delivered.push({
      ...{ payment, to: BUYER, from: 'the SDK', at, seen, claim, text, named: false },
    });
  }

  #challenge(): Response {
    const { amount, maxTimeoutSeconds } = this.plan;
    const terms = {
      scheme: 'exact',
      network: 'stellar:testnet',
      asset: USDC,
      amount: `${amount}`,
      payTo: this.plan.toIssuer ? USDC_ISSUER : this.#shop.seller,
      maxTimeoutSeconds,
      extra: { areFeesSponsored: true },
    };
    const required = encodeHeaderMessage({ x402Version: 2, accepts: [terms] });
    return new Response(null, { status: 402, headers: { 'PAYMENT-REQUIRED': required } });
  }

  /** The seller's part: asks the facilitator, and answers the buyer in its manner. */
  async #sell(header: string): Promise<Response> {
    const { plan } = this;
    this.#read(header);
    let answer: FacilitatorAnswer | undefined;
    for (let round = 0; round < plan.rounds; round++) {
      answer = await this.#present('seller');
      if (this.#last !== undefined) break;
    }
    if (plan.manner === 'denies') return new Response(null, { status: 402 });
    if (plan.manner === 'goes silent' || answer === undefined) {
      throw new TypeError('the connection broke');
    }
    const success = claimOf(answer.body)?.sale === true;
    return new Response(null, {
      status: success ? 200 : 402,
      headers: { 'PAYMENT-RESPONSE': encodeHeaderMessage(answer.body as object) },
    });
  }

  #read(header: string): void {
    const { identifier, weather, weatherMs, killAt, buyer } = this.plan;
    if (this.#request === undefined) {
      weather.killAt = killAt;
      weather.begin(weatherMs);
    }
    const payload = decodeHeaderMessage(header) as FacilitatorRequest['paymentPayload'];
    const extensions =
      identifier === undefined
        ? {}
        : { extensions: { 'payment-identifier': { info: { required: false, id: identifier } } } };
    const paymentPayload = { ...payload, ...extensions };
    const request = { x402Version: 2, paymentPayload, paymentRequirements: payload.accepted };
    const prepared = prepareExact(request as FacilitatorRequest, new Set());
    if (!prepared.ok || prepared.value.authorization === undefined) {
      throw new Error(`the SDK signed an invalid payment: ${JSON.stringify(prepared)}`);
    }
    const { nonce, expirationLedger } = prepared.value.authorization;
    this.#shop.attribution.signed(buyer.address, nonce, weather);
    const sale = this.plan.payment;
    const key = `${buyer.address}:${nonce}`;
    const signed = { id: `${sale} ${nonce}@${expirationLedger}`, sale, key, expirationLedger };
    if (!this.#shop.records.signed.some(({ id }) => id === signed.id)) {
      this.#shop.records.signed.push(signed);
      this.#sentElsewhere = this.#sendElsewhere(prepared.value.operation);
    }
    this.#request = { body: JSON.stringify(request), nonce, signed };
    this.#last = undefined;
  }

  async #sendElsewhere(operation: Uint8Array): Promise<void> {
    const { payment, sentElsewhereAfterMs } = this.plan;
    if (sentElsewhereAfterMs === undefined) return;
    await pause(sentElsewhereAfterMs);
    await this.#shop.sendElsewhere(`sender of ${payment}`, operation);
  }

  /** The instances that are asked, once there are any. @throws Error if none is up in time */
  async #reachable(atTwo: boolean): Promise<readonly (Reachable & { readonly url: string })[]> {
    const { instances, random } = this.#shop;
    const until = performance.now() + ALL_DOWN_MS;
    while (performance.now() < until) {
      const up = instances.flatMap(({ name, url }) => (url === undefined ? [] : [{ name, url }]));
      if (up.length > 0) {
        const first = random.pick(up);
        if (!atTwo) return [first];
        const others = up.filter((one) => one !== first);
        return [first, others.length === 0 ? first : random.pick(others)];
      }
      await pause(100);
    }
    throw new Error(`no instance has been up for ${ALL_DOWN_MS / 1_000} s`);
  }

  /** Presents the identical request once, at one instance or at two at once. */
  async #present(to: string, atTwo = this.plan.atTwo): Promise<FacilitatorAnswer | undefined> {
    const { plan } = this;
    const body = this.#request?.body ?? '';
    if (plan.verifies) {
      const [one] = await this.#reachable(false);
      if (one !== undefined) await this.#ask(one, '/verify', body, to);
    }
    const asked = await this.#reachable(atTwo);
    const answers = await Promise.all(
      asked.map((one) => this.#ask(one, '/settle', body, to, plan.aborts[this.#asked++])),
    );
    const claims = answers.map((answer) => answer && claimOf(answer.body));
    this.#last =
      claims.find((claim) => claim?.money === 'yes') ??
      (claims.every((claim) => claim?.money === 'no' || claim?.money === 'fees')
        ? claims[0]
        : undefined);
    return (
      answers.find((answer) => claimOf(answer?.body)?.sale === true) ??
      answers.find((answer) => answer !== undefined)
    );
  }

  async #ask(
    { name, url }: { readonly name: string; readonly url: string },
    path: '/verify' | '/settle' | `/settlements?${string}`,
    body: string | undefined,
    to: string,
    abort?: Abort,
  ): Promise<FacilitatorAnswer | undefined> {
    const { records } = this.#shop;
    const { identifier } = this.plan;
    const payment = this.#request?.signed.id ?? '';
    const seen = await this.#shop.latestLedger();
    // The time it was sent counts: on a busy machine that may be long after the planned time.
    const answer = await askFacilitator(url, path, body, abort, () => {
      if (path === '/settle') records.asked.push({ payment, at: performance.now() });
    });
    if (answer === undefined) {
      if (path === '/settle') records.unanswered++;
      return undefined;
    }
    const claim = claimOf(answer.body);
    if (claim === undefined) return answer;
    const text = `${path.split('?')[0]} ${answer.status} ${answer.text}`;
    const named = identifier !== undefined;
    records.delivered.push({
      ...{ payment, to, from: name, at: performance.now(), seen, claim, text, named },
    });
    return answer;
  }

  /** Asks again, as a seller that retries does, until it gets the outcome: at the latest, once the authorization has expired. */
  async #learn(): Promise<void> {
    const begun = performance.now();
    const expiration = this.#request?.signed.expirationLedger ?? 0;
    let expiredAt: number | undefined;
    for (let round = 0; this.#last === undefined; round++) {
      const now = performance.now();
      if (now > begun + MAX_LEARN_MS) return;
      if (expiredAt === undefined && (await this.#shop.latestLedger()) > expiration)
        expiredAt = now;
      if (expiredAt !== undefined && now > Math.max(begun, expiredAt) + LEARN_MS) return;
      // Of two at once one waits for the other, and has to ask again.
      await this.#present('retrying seller', this.plan.atTwo && round === 0);
      await pause(200 + this.#shop.random.below(400));
    }
    if (this.#last.money === 'yes' && this.plan.asksAgain) await this.#present('retrying seller');
  }

  /** What the service shows to anybody about it, once nothing is under way any more. */
  async readState(): Promise<void> {
    const { nonce } = this.#request ?? {};
    const [one] = await this.#reachable(false);
    if (nonce === undefined || one === undefined) return;
    const query = `payer=${this.plan.buyer.address}&nonce=${nonce}`;
    await this.#ask(one, `/settlements?${query}`, undefined, 'reader');
  }

  async #lookUp(sent: SentPayment): Promise<void> {
    const seen = await this.#shop.latestLedger();
    const found = await lookUpPayment(sent, { rpcUrl: this.#shop.rpcUrl });
    if (found.moneyMoved === 'unknown' || found.moneyMoved === 'not_yet') return;
    const { transaction } = { transaction: undefined, ...found };
    this.#toBuyer(found.moneyMoved, transaction, 'lookUpPayment', seen);
  }
}
