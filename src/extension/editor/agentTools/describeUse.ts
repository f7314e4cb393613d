import { quoted, visibleText } from '../../../protocol/index.ts';
import { later, t } from '../../words/index.ts';

/** Text for the user. It can contain text from strangers, so it is shown as plain text, never as Markdown. */
export interface Confirmation {
  /** The message while a call is in progress. */
  readonly invocation: string;
  /** The question before the tool runs; `undefined` for tools that only read. */
  readonly question: { readonly title: string; readonly message: string } | undefined;
}

const READING: Readonly<Record<string, string>> = {
  x402_list_resources: later('Listing paid resources'),
  x402_search_resources: later('Searching paid resources'),
  x402_budget: later('Reading the budget from the ledger'),
  x402_receipts: later('Reading receipts'),
};
const MAX_SHOWN = 300;

/**
 * Returns what the user sees before a tool runs. The question before a payment names the seller, the maximum price and the
 * remaining budget.
 * @param readBudget the structured result of `x402_budget`; `undefined` if it cannot be read
 */
export async function describeUse(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  readBudget: () => Promise<unknown>,
): Promise<Confirmation> {
  const reading = READING[tool];
  if (reading !== undefined) return { invocation: t(reading), question: undefined };
  const { url, method, body, maxAmount, tool: sold } = input;
  const seller = sellerOf(url);
  const asked = typeof method === 'string' ? method : body === undefined ? 'GET' : 'POST';
  const call = sold === undefined ? shown(asked.toUpperCase()) : t('tool {0} at', text(sold));
  const left = leftIn(await readBudget().catch(() => undefined));
  const rest =
    left === undefined
      ? t('Could not read the remaining budget.')
      : left === '1'
        ? t('1 USDC is left in the budget.')
        : t('{0} USDC is left in the budget.', left);
  return {
    invocation: t('Calling {0}', seller),
    question: {
      title: t('Pay for a call?'),
      message: t(
        'Pay {0} up to {1} for {2} {3}? {4}',
        seller,
        amount(maxAmount),
        call,
        text(url),
        rest,
      ),
    },
  };
}

/** Returns the amount left under the tightest limit; `undefined` if there is no limit. */
function leftIn(budget: unknown): string | undefined {
  const { limits, ceiling } = (budget ?? {}) as { limits?: unknown; ceiling?: unknown };
  const all = [...(Array.isArray(limits) ? limits : []), ceiling];
  const left = all.flatMap((one: { left?: unknown } | null | undefined) =>
    typeof one?.left === 'string' && one.left !== '' && Number(one.left) >= 0 ? [one.left] : [],
  );
  return left.sort((one, other) => Number(one) - Number(other))[0];
}

function sellerOf(url: unknown): string {
  try {
    return new URL(String(url)).host || t('an unknown seller');
  } catch {
    return t('an unknown seller');
  }
}

function amount(value: unknown): string {
  return typeof value === 'string' && /^\d{1,20}(\.\d{1,7})?$/.test(value)
    ? `${value} USDC`
    : t('an unreadable amount ({0})', text(value));
}

function text(value: unknown): string {
  return quoted(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), MAX_SHOWN);
}

function shown(value: string): string {
  return visibleText(value).slice(0, 20);
}
