import {
  paymentOutcome,
  readMppSettlement,
  readSettlement,
  type SentPayment,
  type Settlement,
  type SorobanRpc,
} from '../sdk/exact/index.ts';

/** A payment that this browser signed for what is sold at one path. It is kept before it is sent, so that no reload forgets it. */
export interface KeptSale {
  /** What carries the payment. Only ever sent to the path that it was signed for. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sent: SentPayment;
  /** `sent`: it may settle, or have settled. `paid`: the seller delivered. */
  readonly state: 'sent' | 'paid';
  /** Hash of the settlement; empty while it is not known. */
  readonly transaction: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What is bought by the path: another query is another thing. */
export function saleKey(target: string): string {
  return `svc-x402 sale ${target}`;
}

/** The sale that is kept under a key; `undefined` without one that can be read. */
export function readSale(key: string): KeptSale | undefined {
  const text = localStorage.getItem(key);
  if (text === null) return undefined;
  try {
    const { sent, ...sale } = JSON.parse(text);
    return {
      ...sale,
      sent: { ...sent, nonce: BigInt(sent.nonce), amount: BigInt(sent.amount) },
    };
  } catch {
    return undefined;
  }
}

/** @throws Error if the browser keeps nothing: then nothing may be sent */
export function keepSale(key: string, sale: KeptSale): void {
  const { sent, ...rest } = sale;
  const plain = { ...sent, nonce: String(sent.nonce), amount: String(sent.amount) };
  localStorage.setItem(key, JSON.stringify({ ...rest, sent: plain }));
}

export function forgetSale(key: string): void {
  localStorage.removeItem(key);
}

/** What became of a kept sale. */
export type Resumed =
  | { readonly kind: 'delivered'; readonly response: Response; readonly transaction: string }
  /** Paid and delivered before, and no longer stored by the seller. */
  | { readonly kind: 'gone'; readonly transaction: string }
  /** It can never pay any more, which was proved: another one may be signed. */
  | { readonly kind: 'void' }
  /** Paid, and the seller does not deliver now. */
  | { readonly kind: 'owed'; readonly transaction: string; readonly status: number }
  /** It may still settle. */
  | { readonly kind: 'open'; readonly until: number | undefined }
  /** The seller did not answer. */
  | { readonly kind: 'offline' };

/** Reads the receipt of a response, of either protocol. */
export function settlementIn(response: Response): Settlement | undefined {
  return readSettlement(response) ?? readMppSettlement(response);
}

/** Presents the kept payment again, which can pay no second time, and finds out what became of it. */
export async function resumeSale(
  target: string,
  { headers, sent, transaction: known }: KeptSale,
  rpc: SorobanRpc,
): Promise<Resumed> {
  let response: Response;
  try {
    response = await fetch(target, { headers, cache: 'no-store', redirect: 'manual' });
  } catch {
    return { kind: 'offline' };
  }
  const settlement = settlementIn(response);
  const transaction = settlement?.transaction || known;
  if (response.ok && settlement?.success !== false) {
    return { kind: 'delivered', response, transaction };
  }
  if (response.status === 410) return { kind: 'gone', transaction };
  const outcome = await paymentOutcome(sent, rpc).catch(() => undefined);
  switch (outcome?.moneyMoved) {
    case 'yes':
      return {
        kind: 'owed',
        transaction: outcome.transaction || transaction,
        status: response.status,
      };
    case 'no':
      return { kind: 'void' };
    case 'not_yet':
    case 'unknown': {
      const { fate } = outcome;
      // What was sent to a test network that started again can settle nowhere.
      if (fate.state === 'unknown' && fate.because === 'network_reset') return { kind: 'void' };
      return { kind: 'open', until: fate.state === 'open' ? fate.until : undefined };
    }
    case undefined:
      return { kind: 'open', until: undefined };
  }
}
