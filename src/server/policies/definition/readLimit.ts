import {
  type AccountAddress,
  type AtomicAmount,
  type ContractAddress,
  STELLAR_DECIMALS,
  type StellarAddress,
} from '../../../protocol/index.ts';
import { LIMIT_MEMBERS, MAX_RECIPIENTS, WINDOW_SECONDS } from '../../../protocol/policies/index.ts';
import type { Problems } from './problems.ts';

/** A valid spending limit, parsed. */
export interface ReadLimit {
  readonly type: 'spending_limit';
  /** null: XLM itself. */
  readonly asset: ContractAddress | null;
  readonly amount: AtomicAmount;
  /** Decimal places of the asset. */
  readonly decimals: number;
  /** Seconds of the window. */
  readonly window: bigint;
  readonly sliding: boolean;
  /** Maximum number of payments in a window; `null`: any number. */
  readonly maxPayments: number | null;
  /** Maximum of one payment; `null` if only the rest of the limit applies. */
  readonly perPayment: AtomicAmount | null;
  /** Recipients that may be paid; `null` for any. */
  readonly recipients: readonly StellarAddress[] | null;
  /** The key that the limit applies to; null: every key. It distinguishes policies that are otherwise equal. */
  readonly agent: AccountAddress | null;
}

/** Returns the decimal places of a token; `undefined` for a contract that is not a token. */
export type TokenDecimals = (token: ContractAddress) => number | undefined;

/** Members of a definition that only a spending limit has. */
export const LIMIT_PARTS = [
  'spendingLimits',
  'sliding',
  'maxPayments',
  'perPayment',
  'recipients',
  'agent',
] as const;

type Members = Readonly<Record<string, unknown>>;
type Amount = Pick<ReadLimit, 'asset' | 'amount' | 'decimals' | 'window'>;

/** Reads the parts of a spending limit other than its wallet. */
export function readLimit(
  members: Members,
  wallet: ContractAddress | undefined,
  problems: Problems,
  decimalsOf: TokenDecimals,
): ReadLimit | undefined {
  const { agent, recipients, perPayment, sliding = false, maxPayments } = members;
  const forAgent = agent === undefined ? null : problems.account(agent, '/agent');
  const paid = recipients === undefined ? null : readRecipients(recipients, wallet, problems);
  const slides = problems.flag(sliding, '/sliding');
  const many = maxPayments === undefined ? null : problems.count(maxPayments, '/maxPayments');
  const limit = readAmount(members['spendingLimits'], problems, decimalsOf);
  if (limit === undefined) return undefined;
  const most = perPayment === undefined ? null : readMost(perPayment, limit, problems);
  if (forAgent === undefined || paid === undefined || most === undefined) return undefined;
  if (slides === undefined || many === undefined) return undefined;
  return {
    ...{ type: 'spending_limit', ...limit, sliding: slides, maxPayments: many },
    ...{ perPayment: most, recipients: paid, agent: forAgent },
  };
}

function readAmount(
  value: unknown,
  problems: Problems,
  decimalsOf: TokenDecimals,
): Amount | undefined {
  const path = '/spendingLimits';
  const limits = problems.object(value, path, ['dailyXlm', ...LIMIT_MEMBERS]);
  if (limits === undefined) return undefined;
  const lists = LIMIT_MEMBERS.map((window) => ({ window, list: limits[window] }));
  const { dailyXlm } = limits;
  const counts = lists.map(({ list }) =>
    Array.isArray(list) ? list.length : Number(list !== undefined),
  );
  const count = counts.reduce((sum, one) => sum + one, Number(dailyXlm !== undefined));
  if (count !== 1) problems.add(path, 'not_one_limit');
  const read: Amount[] = [];
  if (dailyXlm !== undefined) {
    const decimals = STELLAR_DECIMALS;
    const amount = problems.amount(dailyXlm, `${path}/dailyXlm`, decimals);
    if (amount !== undefined)
      read.push({ asset: null, amount, decimals, window: WINDOW_SECONDS.daily });
  }
  for (const { window, list } of lists) {
    if (list === undefined) continue;
    const items = problems.list(list, `${path}/${window}`, MAX_ITEMS) ?? [];
    for (const [index, item] of items.entries()) {
      const one = readAssetLimit(item, `${path}/${window}/${index}`, problems, decimalsOf);
      if (one !== undefined) read.push({ ...one, window: WINDOW_SECONDS[window] });
    }
  }
  return read[0];
}

/** A policy has one limit, but problems of a few more items are also reported. */
const MAX_ITEMS = 20;

function readAssetLimit(
  item: unknown,
  at: string,
  problems: Problems,
  decimalsOf: TokenDecimals,
): Omit<Amount, 'window'> | undefined {
  const limit = problems.object(item, at, ['asset', 'amount']);
  if (limit === undefined) return undefined;
  const asset = problems.contract(limit['asset'], `${at}/asset`);
  const decimals = asset === undefined ? STELLAR_DECIMALS : decimalsOf(asset);
  if (decimals === undefined) return problems.add(`${at}/asset`, 'not_a_token');
  const amount = problems.amount(limit['amount'], `${at}/amount`, decimals);
  return asset === undefined || amount === undefined ? undefined : { asset, amount, decimals };
}

function readMost(
  value: unknown,
  { amount, decimals }: Amount,
  problems: Problems,
): AtomicAmount | undefined {
  const most = problems.amount(value, '/perPayment', decimals);
  if (most !== undefined && most > amount) return problems.add('/perPayment', 'over_the_limit');
  return most;
}

function readRecipients(
  value: unknown,
  wallet: ContractAddress | undefined,
  problems: Problems,
): readonly StellarAddress[] | undefined {
  return problems.each(value, '/recipients', MAX_RECIPIENTS, (item, path) =>
    item !== undefined && item === wallet
      ? problems.add(path, 'own_wallet')
      : problems.address(item, path),
  );
}
