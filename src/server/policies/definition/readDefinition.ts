import {
  type AccountAddress,
  type AtomicAmount,
  type ContractAddress,
  STELLAR_DECIMALS,
} from '../../../protocol/index.ts';
import type { DefinitionProblem, PolicyType } from '../../../protocol/policies/index.ts';
import { Problems } from './problems.ts';

/** A definition that is good, read. */
export type ReadDefinition = { readonly wallet: ContractAddress } & (
  | {
      readonly type: 'spending_limit';
      /** null: XLM itself. */
      readonly asset: ContractAddress | null;
      readonly amount: AtomicAmount;
      /** Decimal places of the asset. */
      readonly decimals: number;
      /** The key that it is for; null: any. It tells apart policies that are alike. */
      readonly agent: AccountAddress | null;
    }
  | { readonly type: 'verified_only'; readonly registry: ContractAddress }
  | {
      readonly type: 'multisig' | 'allow_list';
      readonly signer: AccountAddress;
      readonly contracts: readonly ContractAddress[];
      readonly coSigners: readonly AccountAddress[];
    }
);

export type DefinitionReading =
  | { readonly ok: true; readonly definition: ReadDefinition }
  | { readonly ok: false; readonly problems: readonly DefinitionProblem[] };

/** Decimal places of a token; `undefined` for a contract that is not one. */
export type TokenDecimals = (token: ContractAddress) => number | undefined;

/** As many approvers as the account asks of one grant. */
const MOST_CO_SIGNERS = 5;
const MOST_CONTRACTS = 20;

const MEMBERS: Readonly<Record<PolicyType, readonly string[]>> = {
  spending_limit: ['spendingLimits', 'agent'],
  verified_only: ['registry'],
  multisig: ['signer', 'contracts', 'coSigners'],
  allow_list: ['signer', 'contracts'],
};

function isPolicyType(text: string): text is PolicyType {
  return Object.hasOwn(MEMBERS, text);
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a definition and finds everything that is wrong with it at once (spec: Policy objects;
 * what the specification is silent about is defined in docs/policies.md).
 * @param decimals of tokens other than XLM; without it all have those of Stellar's assets
 */
export function readDefinition(
  value: unknown,
  decimals: TokenDecimals = () => STELLAR_DECIMALS,
): DefinitionReading {
  const problems = new Problems();
  const definition = read(value, problems, decimals);
  return definition === undefined || problems.found.length > 0
    ? { ok: false, problems: problems.found }
    : { ok: true, definition };
}

function read(
  value: unknown,
  problems: Problems,
  decimals: TokenDecimals,
): ReadDefinition | undefined {
  const type = typeOf(value);
  const own = type === undefined ? Object.keys(Object(value)) : MEMBERS[type];
  const members = problems.object(value, '', ['version', 'type', 'owners', ...own]);
  if (members === undefined) return undefined;
  const version = problems.text(members['version'], '/version');
  if (version !== undefined && version !== '1') problems.add('/version', 'unsupported_version');
  const wallet = readWallet(members['owners'], problems);
  if (type === undefined) {
    if (problems.text(members['type'], '/type') !== undefined)
      problems.add('/type', 'unknown_type');
    return undefined;
  }
  const terms = readTerms(type, members, problems, decimals);
  return terms === undefined || wallet === undefined ? undefined : { wallet, ...terms };
}

function typeOf(value: unknown): PolicyType | undefined {
  const type: unknown = Object(value).type;
  return typeof type === 'string' && isPolicyType(type) ? type : undefined;
}

function readWallet(owners: unknown, problems: Problems): ContractAddress | undefined {
  if (Array.isArray(owners) && owners.length !== 1)
    return problems.add('/owners', 'not_one_wallet');
  const list = problems.list(owners, '/owners', 1);
  return list === undefined ? undefined : problems.contract(list[0], '/owners/0');
}

type Terms = ReadDefinition extends infer D
  ? D extends unknown
    ? Omit<D, 'wallet'>
    : never
  : never;

function readTerms(
  type: PolicyType,
  members: Members,
  problems: Problems,
  decimals: TokenDecimals,
): Terms | undefined {
  switch (type) {
    case 'spending_limit':
      return readLimit(members, problems, decimals);
    case 'verified_only': {
      const registry = problems.contract(members['registry'], '/registry');
      return registry === undefined ? undefined : { type, registry };
    }
    case 'multisig':
    case 'allow_list': {
      const contract = problems.contract.bind(problems);
      const account = problems.account.bind(problems);
      const signer = problems.account(members['signer'], '/signer');
      const contracts = problems.each(members['contracts'], '/contracts', MOST_CONTRACTS, contract);
      const coSigners =
        type === 'allow_list'
          ? []
          : problems.each(members['coSigners'], '/coSigners', MOST_CO_SIGNERS, (item, path) =>
              // Its own signature would stand for the other one.
              item !== undefined && item === members['signer']
                ? problems.add(path, 'repeated')
                : account(item, path),
            );
      if (signer === undefined || contracts === undefined || coSigners === undefined) {
        return undefined;
      }
      return { type, signer, contracts, coSigners };
    }
  }
}

function readLimit(
  members: Members,
  problems: Problems,
  decimalsOf: TokenDecimals,
): Terms | undefined {
  const path = '/spendingLimits';
  const agent =
    members['agent'] === undefined ? null : problems.account(members['agent'], '/agent');
  const limits = problems.object(members['spendingLimits'], path, ['dailyXlm', 'daily']);
  if (limits === undefined || agent === undefined) return undefined;
  const { dailyXlm, daily } = limits;
  const others = Array.isArray(daily) ? daily.length : daily === undefined ? 0 : 1;
  if (others + (dailyXlm === undefined ? 0 : 1) !== 1) problems.add(path, 'not_one_limit');
  const type = 'spending_limit';
  const read: Terms[] = [];
  if (dailyXlm !== undefined) {
    const decimals = STELLAR_DECIMALS;
    const amount = problems.amount(dailyXlm, `${path}/dailyXlm`, decimals);
    if (amount !== undefined) read.push({ type, asset: null, amount, decimals, agent });
  }
  for (const [index, item] of (daily === undefined ? [] : asList(daily, problems)).entries()) {
    const at = `${path}/daily/${index}`;
    const limit = problems.object(item, at, ['asset', 'amount']);
    if (limit === undefined) continue;
    const asset = problems.contract(limit['asset'], `${at}/asset`);
    const decimals = asset === undefined ? STELLAR_DECIMALS : decimalsOf(asset);
    if (decimals === undefined) {
      problems.add(`${at}/asset`, 'not_a_token');
      continue;
    }
    const amount = problems.amount(limit['amount'], `${at}/amount`, decimals);
    if (asset === undefined || amount === undefined) continue;
    read.push({ type, asset, amount, decimals, agent });
  }
  return read[0];
}

function asList(value: unknown, problems: Problems): readonly unknown[] {
  return problems.list(value, '/spendingLimits/daily', MOST_CONTRACTS) ?? [];
}
