import type { InvocationTrace, TracedCall, TracedStep } from './trace.ts';

/** The sender of a transaction, and who paid for it. */
export interface Sender {
  readonly source: string;
  readonly feeSource: string;
  /** Stroops; null if nothing was charged. */
  readonly charged: bigint | null;
  /** Stroops. */
  readonly bid: bigint;
}

interface Payment {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
}

/** The function with which a smart account calls a policy. */
const POLICY_FUNCTION = 'policy__';

/**
 * Describes a payment in sentences: who authorized it, who sent it and paid its fee, what each policy decided, and whether it
 * was made. Empty if it is not a payment.
 * @param sender undefined for simulations, which are not sent
 * @param name looks up the name of an address
 */
export function paymentStory(
  trace: InvocationTrace,
  sender: Sender | undefined,
  name: (address: string) => string | undefined,
): string[] {
  const [root] = trace.steps;
  const payment = root?.kind === 'call' ? paymentOf(root) : undefined;
  if (root?.kind !== 'call' || payment === undefined) return [];
  const called = (address: string): string => {
    const known = name(address);
    return known === undefined ? address : `the ${known} ${address}`;
  };
  return [
    authorizationSentence(trace, payment, called),
    ...(sender === undefined ? [] : senderSentences(sender, called)),
    ...policySentences(trace.steps, called),
    outcomeSentence(trace, payment, called, sender !== undefined),
  ].map(capitalized);
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** A transfer of an asset, or the settlement of an `upto` payment. */
function paymentOf(call: TracedCall): Payment | undefined {
  const of = (name: string) => call.arguments.find((one) => one.name === name);
  const [from, to] = [of('from')?.value, of('to')?.value];
  if (call.function === 'transfer') {
    const amount = of('amount')?.amount;
    return from && to && amount ? { from, to, amount } : undefined;
  }
  if (call.function !== 'settle' || call.contract.name !== 'upto') return undefined;
  const transfer = call.steps.find((step) => step.kind === 'call' && step.function === 'transfer');
  return transfer?.kind === 'call' ? paymentOf(transfer) : undefined;
}

function authorizationSentence(
  { authorization }: InvocationTrace,
  { from, amount }: Payment,
  called: (address: string) => string,
): string {
  const given = authorization.find(({ by }) => by === from);
  if (given === undefined) return `Nobody authorized ${called(from)} to pay ${amount}.`;
  if (given.bySource) return `${called(from)} authorized ${amount} by signing the transaction.`;
  const until =
    given.validUntilLedger === null ? '' : `, valid until ledger ${given.validUntilLedger}`;
  return `The buyer ${from} authorized ${amount}${until}.`;
}

function senderSentences(
  { source, feeSource, charged, bid }: Sender,
  called: (address: string) => string,
): string[] {
  const fee = charged === null ? `bid ${bid} stroops` : `was charged ${charged} of ${bid} stroops`;
  return source === feeSource
    ? [`${called(source)} sent the transaction and ${fee}.`]
    : [
        `${called(source)} sent the transaction; ${called(feeSource)} paid for it with a fee bump and ${fee}.`,
      ];
}

function policySentences(
  steps: readonly TracedStep[],
  called: (address: string) => string,
): string[] {
  const sentences: string[] = [];
  for (const step of steps) {
    if (step.kind !== 'call') continue;
    sentences.push(...policySentences(step.steps, called));
    if (step.function === POLICY_FUNCTION) sentences.push(policySentence(step, called));
  }
  return sentences;
}

function policySentence(call: TracedCall, called: (address: string) => string): string {
  const { id, name } = call.contract;
  const policy = `The policy ${name === null ? called(id) : `${name} ${id}`}`;
  if (call.outcome === 'returned') return `${policy} approved the payment.`;
  const error = call.steps.find((step) => step.kind === 'error');
  if (error?.kind !== 'error') return `${policy} failed.`;
  return `${policy} refused the payment: ${error.name ?? error.code}, ${error.meaning}.`;
}

function outcomeSentence(
  { successful }: InvocationTrace,
  { from, to, amount }: Payment,
  called: (address: string) => string,
  sent: boolean,
): string {
  if (!successful) return sent ? 'No money moved.' : 'The payment would fail.';
  return `${amount} ${sent ? 'moved' : 'would move'} from ${called(from)} to ${called(to)}.`;
}
