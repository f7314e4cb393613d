import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { atomicAmount, USDC_CONTRACT } from '../../src/protocol/index.ts';
import {
  challengeText,
  type MppChallenge,
  type MppCredential,
  readChallenges,
  writeCredential,
} from '../../src/protocol/mpp/index.ts';
import {
  type FacilitatorAnswer,
  type FacilitatorCall,
  memoryBook,
  mppProtocol,
  type Offer,
  type SaleBook,
  type SellerProtocol,
  type SellerRequest,
  type Sold,
  sell,
  x402Protocol,
} from '../../src/seller/index.ts';
import { PAYER, type PaymentParts, paymentRequest, SELLER } from '../support/payment.ts';

export interface Page {
  readonly good: boolean;
  readonly whole: boolean;
  readonly text: string;
  readonly status?: number;
}

export const HASH = 'ab'.repeat(32);
export const SECRET = 'a secret of the test';
export const NOW = Date.parse('2026-11-27T12:00:00Z');
export const VALID = { status: 200, body: { isValid: true, payer: PAYER.address } };
export const SETTLED = {
  status: 200,
  body: { success: true, transaction: HASH, network: 'stellar:testnet', payer: PAYER.address },
};
export const refused = (
  moneyMoved: string,
  errorReason = 'settle_exact_stellar_transaction_failed',
) => ({
  status: 200,
  body: {
    ...{ success: false, transaction: '', network: 'stellar:testnet', errorReason },
    extra: { moneyMoved, transaction: HASH },
  },
});

export function offer(more: Partial<Offer> = {}): Offer {
  const amount = atomicAmount(100_000n);
  assert.ok(amount !== undefined);
  return {
    ...{ network: 'stellar:testnet', asset: USDC_CONTRACT, amount, payTo: SELLER.address },
    ...{ maxTimeoutSeconds: 60, extra: { areFeesSponsored: true } },
    resource: { url: 'http://seller.example/weather', description: 'Weather' },
    ...{ extensions: {}, settle: 'after', ...more },
  };
}

export type Headers = Readonly<Record<string, string>>;

export function request(headers: Headers = {}, more: Partial<SellerRequest> = {}): SellerRequest {
  return {
    ...{ method: 'GET', target: '/weather?city=Lima', bodyDigest: '' },
    header: (name) => headers[name.toLowerCase()],
    ...more,
  };
}

/** A seller whose facilitator agrees to everything unless the script says otherwise. */
export function shop(
  script: {
    readonly protocols?: readonly SellerProtocol[];
    readonly verify?: FacilitatorAnswer;
    readonly settle?: readonly FacilitatorAnswer[];
    readonly page?: Page;
    readonly book?: SaleBook<Page>;
    readonly offer?: Partial<Offer>;
  } = {},
) {
  const clock = { now: NOW };
  const mpp = mppProtocol({ secret: SECRET, now: () => clock.now });
  const { protocols = [x402Protocol, mpp], book = memoryBook<Page>({ now: () => clock.now }) } =
    script;
  const log: string[] = [];
  const calls: FacilitatorCall[] = [];
  const settle = [...(script.settle ?? [SETTLED])];
  const ask = (asked: SellerRequest, terms: Partial<Offer> = {}): Promise<Sold<Page>> =>
    sell(offer({ ...script.offer, ...terms }), asked, {
      ...{ protocols, book },
      async ask(call) {
        calls.push(call);
        log.push(call.path.slice(1));
        if (call.path === '/verify') return 'verify' in script ? script.verify : VALID;
        return settle.length > 1 ? settle.shift() : settle[0];
      },
      async serve() {
        log.push('serve');
        return script.page ?? { good: true, whole: true, text: 'sunny' };
      },
      pause: () => new Promise((resolve) => setImmediate(resolve)),
      onError: (error) => assert.fail(String(error)),
    });
  return { ask, log, calls, clock, book, mpp };
}

export const headersOf = (sold: Sold<Page>) =>
  sold.kind === 'answer' ? sold.answer.headers : sold.headers;
export const headerOf = (sold: Sold<Page>, name: string): string | undefined =>
  headersOf(sold).find(([each]) => each.toLowerCase() === name)?.[1];

export function challengeIn(sold: Sold<Page>): MppChallenge {
  const [challenge] = readChallenges(headerOf(sold, 'www-authenticate') ?? '');
  assert.ok(challenge);
  return challenge;
}

export function bodyOf(sold: Sold<Page>): Record<string, unknown> {
  assert.ok(sold.kind === 'answer');
  return JSON.parse(sold.answer.body) as Record<string, unknown>;
}

export function transactionOf(parts: PaymentParts = {}): string {
  return String(paymentRequest(parts).paymentPayload.payload['transaction']);
}

export function credentialFor(challenge: MppChallenge, parts: PaymentParts = {}): MppCredential {
  const source = `did:pkh:stellar:testnet:${PAYER.address}`;
  return {
    ...{ challenge, source },
    payload: { type: 'transaction', transaction: transactionOf(parts) },
  };
}

export const paid = (credential: MppCredential, more: Partial<SellerRequest> = {}): SellerRequest =>
  request({ authorization: writeCredential(credential) }, more);

export const afterVerifying = (log: readonly string[]) => log.filter((step) => step !== 'verify');

/** A challenge as a seller with this secret would make it. */
export function signed(challenge: MppChallenge, secret = SECRET): MppChallenge {
  const id = createHmac('sha256', secret).update(challengeText(challenge)).digest('base64url');
  return { ...challenge, id };
}
