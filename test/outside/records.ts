import type { Asked, Delivered, Interruption } from '../helpers/truth/judge.ts';

/** A signature that a buyer handed out. */
export interface SignedPayment {
  /** Names it in asked, delivered and judged. */
  readonly id: string;
  /** The purchase that it is for. */
  readonly sale: string;
  /** Payer and nonce. */
  readonly key: string;
  readonly expirationLedger: number;
}

/** What the harness writes down while it runs. Times are readings of `performance.now()`. */
export class Records {
  readonly signed: SignedPayment[] = [];
  readonly asked: Asked[] = [];
  readonly delivered: Delivered[] = [];
  readonly interruptions: Interruption[] = [];
  /** Requests to settle that got no answer. */
  unanswered = 0;

  /** The purchase that a signature is for. */
  saleOf(payment: string): string | undefined {
    return this.signed.find(({ id }) => id === payment)?.sale;
  }

  /** Begins an interruption of an instance; the result ends it. */
  interrupt(from: string, kind: string): () => void {
    const begun = performance.now();
    const index = this.interruptions.length;
    this.interruptions.push({ from, kind, begun, ended: Number.POSITIVE_INFINITY });
    return () => {
      this.interruptions[index] = { from, kind, begun, ended: performance.now() };
    };
  }
}
