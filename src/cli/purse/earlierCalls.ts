import type { CallResult } from '../../mcp/pay/purse.ts';
import { formatDecimalAmount } from '../../protocol/index.ts';
import type { Ask } from './exchange.ts';
import type { Answer } from './keptAnswers.ts';
import { deliveredInWords } from './paidCall.ts';
import type { Entry } from './receiptBook.ts';
import { receiptOf } from './receipts.ts';

/** Entries of version 0.4 have no policies, and their calls were identified without headers. */
export function isSameCall({ call, policies }: Entry, ask: Ask): boolean {
  return call === ask.call || (policies === undefined && call === ask.callWithoutHeaders);
}

export function answerOf({ code, message, status, body, redirect }: CallResult): Answer {
  return { code, message, status, body, redirect };
}

/** Says that a result belongs to an earlier payment. */
export function alreadyInWords(
  { message }: Pick<CallResult, 'message'>,
  entry: Entry,
  hasResource: boolean,
): Pick<CallResult, 'outcome' | 'message' | 'alreadyPaid'> {
  const { amount, payTo, time } = receiptOf(entry);
  const paid = `${amount} USDC to ${payTo}`;
  const own = 'Nothing was paid now. To buy it again, call again.';
  if (!hasResource) {
    const outcome = entry.outcome === 'not_settled' ? 'not_paid' : entry.outcome;
    return { outcome, alreadyPaid: true, message: `An earlier call at ${time}: ${message} ${own}` };
  }
  if (entry.outcome === 'settled') {
    const words = `Already paid ${paid} at ${time}, and this is the seller's answer to that payment. ${own}`;
    return { outcome: 'settled', alreadyPaid: true, message: words };
  }
  const now = deliveredInWords(entry, paid);
  return { ...now, alreadyPaid: true, message: `${now.message} ${own}` };
}

export function paidNowElsewhere({ sent }: Entry): string {
  return `Another process of this agent is paying ${formatDecimalAmount(sent.amount)} USDC for this same call. Call again with the same arguments.`;
}
