/** How the answer to a call fails. */
export interface AnswerFault {
  readonly kind: 'tryAgainLater' | 'timeout' | 'lost' | 'late' | 'error5xx' | 'lag';
  /** How long the answer is delayed, or the connection stays open without one. */
  readonly milliseconds: number;
}

/** Returns the fault for this call of a method. */
export type TakeFault = (method: string) => AnswerFault | undefined;

/** How an answer is delivered. */
export type Delivery =
  | { readonly kind: 'now' }
  | { readonly kind: 'late'; readonly milliseconds: number }
  /** Never: the connection ends. */
  | { readonly kind: 'never'; readonly milliseconds: number }
  /** As HTTP 503. */
  | { readonly kind: 'unavailable' };

export const NOW: Delivery = { kind: 'now' };

/** Whether the call is carried out despite a fault. */
export function isCarriedOut(fault: AnswerFault | undefined): boolean {
  return fault?.kind !== 'timeout' && fault?.kind !== 'error5xx';
}

export function deliveryOf(fault: AnswerFault | undefined): Delivery {
  switch (fault?.kind) {
    case 'timeout':
    case 'lost':
      return { kind: 'never', milliseconds: fault.milliseconds };
    case 'late':
      return { kind: 'late', milliseconds: fault.milliseconds };
    case 'error5xx':
      return { kind: 'unavailable' };
    default:
      return NOW;
  }
}
