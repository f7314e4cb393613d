import { formatDecimalAmount } from '../../protocol/index.ts';
import { columns } from '../report.ts';
import type { DemoStep } from './demoStep.ts';

type Step<Name extends DemoStep['step']> = Extract<DemoStep, { step: Name }>;

/** The steps from which the report on a payment is built. */
export interface DemoPayment {
  readonly seller: Step<'listening'>;
  readonly challenge: Step<'challenge'>;
  readonly pay: Step<'pay'>;
  readonly settled: Step<'settled'>;
  readonly balances: Step<'balances'>;
}

/** Describes a step on one line while the demo runs; empty for steps that are reported at the end. */
export function describeStep(step: DemoStep): string {
  switch (step.step) {
    case 'fund':
      return line(`${step.owner}: a new account, funded by friendbot`, step.ms);
    case 'trustline':
      return line(`${step.owner}: a trustline to USDC`, step.ms);
    case 'buy':
      return line(`buyer: ${step.usdc} USDC bought on the DEX with a path payment`, step.ms);
    case 'challenge':
      return line('buyer: sent a request and received the price (402)', step.ms);
    case 'pay':
      return [
        line('buyer: asked again, to pay (402)', step.askMs),
        line('buyer: built, simulated and signed the payment', step.signMs),
        line(outcome(step.status), step.paidRequestMs),
      ].join('\n');
    default:
      return '';
  }
}

/** Describes the complete payment. */
export function describePayment({ seller, challenge, settled, balances }: DemoPayment): string {
  const { before, after } = balances;
  return columns([
    ['URL', seller.url],
    ['price', `${formatDecimalAmount(BigInt(challenge.amount))} USDC`],
    ['payer', settled.payer],
    ['payTo', seller.payTo],
    ['hash', settled.transaction],
    ['ledger', String(settled.ledger)],
    ['buyer', `${before.buyer.usdc} → ${after.buyer.usdc} USDC`],
    ['', `${before.buyer.xlm} → ${after.buyer.xlm} XLM (the facilitator paid the fee)`],
    ['seller', `${before.seller.usdc} → ${after.seller.usdc} USDC`],
  ]);
}

function outcome(status: number): string {
  return status === 200
    ? 'seller: payment verified, settled, answer served (200)'
    : `seller: payment refused (${status})`;
}

function line(what: string, ms: number): string {
  return `  ${what.padEnd(56)} ${ms.toFixed(0).padStart(6)} ms`;
}
