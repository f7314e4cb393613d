import type { PaymentProtocol } from '../../sdk/exact/index.ts';
import { later } from '../words/index.ts';

/** The six steps of a test payment, in the specification's order. */
export const TEST_STEPS = [
  { name: 'key', title: later('Make a throwaway key, in memory only') },
  { name: 'terms', title: later("Read the endpoint's terms and compare addresses") },
  { name: 'fund', title: later('Get test XLM from the funding service') },
  { name: 'trustline', title: later('Open a trustline to USDC') },
  { name: 'buy', title: later('Buy five times the price in USDC on the exchange') },
  { name: 'pay', title: later('Request, sign, submit and settle') },
] as const;

export type TestStepName = (typeof TEST_STEPS)[number]['name'];

/** A completed step. */
export interface TestStep {
  readonly name: TestStepName;
  readonly ms: number;
  /** Its result, in a few words. */
  readonly outcome: string;
  /** Hash of its transaction, if it has one. */
  readonly transaction?: string;
}

/** The result of a whole test payment. */
export interface TestResult {
  readonly url: string;
  readonly method: string;
  readonly steps: readonly TestStep[];
  readonly ms: number;
  readonly payer: string;
  readonly payTo: string;
  /** Atomic units of USDC. */
  readonly amount: bigint;
  readonly settlement: string;
  /** The protocol by which it was paid. */
  readonly protocol: PaymentProtocol;
  /** HTTP status and the beginning of the purchased resource. */
  readonly status: number;
  readonly body: string;
}
