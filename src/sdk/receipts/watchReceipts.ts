import {
  decodeHeaderMessage,
  PAYMENT_REQUIRED_HEADER,
  PAYMENT_RESPONSE_HEADER,
  PAYMENT_SIGNATURE_HEADER,
} from '../../protocol/index.ts';
import { collectReceipt, type ReceiptFile } from '../../protocol/receipts/index.ts';

type Fetch = typeof globalThis.fetch;

/** Collects what sellers sign while an app pays. */
export interface ReceiptWatcher {
  /** For the option `fetch` of `createX402Fetch`. Changes nothing about requests and responses. */
  readonly fetch: Fetch;
  /**
   * Returns what the seller signed for the response of a sale by x402; `undefined` if it signed nothing. Verify it with
   * `verifyReceiptFile`.
   */
  of(response: Response): ReceiptFile | undefined;
}

/** Challenges that are remembered until they are paid. */
const MAX_CHALLENGES = 100;
/** Characters of a header that is read. */
const MAX_HEADER = 64 * 1024;

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const messageIn = (header: string | null): unknown =>
  header === null || header.length > MAX_HEADER ? undefined : decodeHeaderMessage(header);

/**
 * Watches the requests of a paying `fetch`.
 * @param payer address of the account that pays, to compare receipts with
 * @example
 * ```ts
 * import { ledgerReaders, verifyReceiptFile, watchReceipts, webReaders } from 'svc-x402/receipts';
 *
 * const receipts = watchReceipts({ payer: signer.address });
 * const pay = createX402Fetch({ signer, rpcUrl, fetch: receipts.fetch });
 * const response = await pay('https://api.example.com/weather');
 * const file = receipts.of(response);
 * if (file !== undefined) {
 *   const readers = { ...webReaders(), ...ledgerReaders(rpcUrl) };
 *   const { verdict, findings } = await verifyReceiptFile(file, { readers });
 *   console.log(verdict, findings.map(({ words }) => words));
 * }
 * ```
 */
export function watchReceipts(options: {
  readonly payer: string;
  /** Default: the platform's own. */
  readonly fetch?: Fetch | undefined;
}): ReceiptWatcher {
  const { payer } = options;
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  const challenges = new Map<string, unknown>();
  const files = new WeakMap<Response, ReceiptFile>();
  return {
    async fetch(input, init) {
      const request = new Request(input, init);
      const { method } = request;
      const url = plainUrl(request.url);
      const payment = messageIn(request.headers.get(PAYMENT_SIGNATURE_HEADER));
      const paidAt = Math.floor(Date.now() / 1_000);
      const response = await send(request);
      const asked = messageIn(response.headers.get(PAYMENT_REQUIRED_HEADER));
      // Redirected requests are paid where they led.
      const answered = response.url === '' ? url : plainUrl(response.url);
      if (response.status === 402 && asked !== undefined) {
        challenges.delete(`${method} ${answered}`);
        challenges.set(`${method} ${answered}`, asked);
        const [oldest] = challenges.keys();
        if (challenges.size > MAX_CHALLENGES && oldest !== undefined) challenges.delete(oldest);
      }
      if (payment !== undefined && response.status !== 402) {
        const settlement = messageIn(response.headers.get(PAYMENT_RESPONSE_HEADER));
        const { scheme, network, asset, payTo, amount } = membersOf(membersOf(payment)['accepted']);
        const paid = {
          ...{ scheme: textOf(scheme), network: textOf(network), asset: textOf(asset) },
          ...{ payTo: textOf(payTo), amount: textOf(amount) },
        };
        const named = textOf(membersOf(settlement)['transaction']);
        const transaction = /^[0-9a-f]{64}$/.test(named) ? named : '';
        const challenge = challenges.get(`${method} ${url}`);
        const file = /^\d{1,39}$/.test(paid.amount)
          ? collectReceipt({ method, url, paidAt, paid, payer, transaction }, challenge, settlement)
          : undefined;
        if (file !== undefined) files.set(response, file);
      }
      return response;
    },
    of: (response) => files.get(response),
  };
}

/** A URL as receipts name it: without a fragment, which is never sent. */
function plainUrl(text: string): string {
  const url = new URL(text);
  url.hash = '';
  return url.href;
}
