import {
  type AccountAddress,
  type ContractAddress,
  STELLAR_DECIMALS,
} from '../../../protocol/index.ts';
import type { DefinitionProblem, PolicyType } from '../../../protocol/policies/index.ts';
import { Problems } from './problems.ts';
import { LIMIT_PARTS, type ReadLimit, readLimit, type TokenDecimals } from './readLimit.ts';

/** A valid definition, parsed. */
export type ReadDefinition = { readonly wallet: ContractAddress } & (
  | ReadLimit
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

/** The account's maximum number of approvers of one grant. */
const MAX_CO_SIGNERS = 5;
const MAX_CONTRACTS = 20;

const MEMBERS: Readonly<Record<PolicyType, readonly string[]>> = {
  spending_limit: LIMIT_PARTS,
  verified_only: ['registry'],
  multisig: ['signer', 'contracts', 'coSigners'],
  allow_list: ['signer', 'contracts'],
};

function isPolicyType(text: string): text is PolicyType {
  return Object.hasOwn(MEMBERS, text);
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a definition and finds all its problems at once (spec: Policy objects; docs/policies.md
 * defines what the specification leaves open).
 * @param decimals decimal places of tokens other than XLM; by default those of Stellar assets
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
  const terms =
    type === 'spending_limit'
      ? readLimit(members, wallet, problems, decimals)
      : readTerms(type, members, problems);
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
  type: Exclude<PolicyType, 'spending_limit'>,
  members: Members,
  problems: Problems,
): Terms | undefined {
  switch (type) {
    case 'verified_only': {
      const registry = problems.contract(members['registry'], '/registry');
      return registry === undefined ? undefined : { type, registry };
    }
    case 'multisig':
    case 'allow_list': {
      const contract = problems.contract.bind(problems);
      const account = problems.account.bind(problems);
      const signer = problems.account(members['signer'], '/signer');
      const contracts = problems.each(members['contracts'], '/contracts', MAX_CONTRACTS, contract);
      const coSigners =
        type === 'allow_list'
          ? []
          : problems.each(members['coSigners'], '/coSigners', MAX_CO_SIGNERS, (item, path) =>
              // The key's own signature would count as the other one.
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
