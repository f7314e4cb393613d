import { xdr } from '@stellar/stellar-sdk';
import { addressCredentials } from '../../../common/authorization.ts';
import { encodeXdr } from '../xdr/index.ts';
import type { ContractBook } from './contractBook.ts';
import { callName } from './contractName.ts';
import type { TracedAuthorization } from './trace.ts';
import { addressText } from './valueText.ts';

/** Maximum number of authorizations, and of calls of one, that are shown. */
const MOST_ENTRIES = 50;
const MOST_CALLS = 50;

/** An authorization, and the calls that it covers in comparable form. */
export interface ReadAuthorization {
  readonly shown: TracedAuthorization;
  readonly covered: readonly CoveredCall[];
}

interface CoveredCall {
  readonly contract: string;
  readonly function: string;
  /** Base64 of the arguments, as the host records them. */
  readonly arguments: string;
}

/** @param source the signer for credentials of the source account */
export function readAuthorizations(
  entries: readonly xdr.SorobanAuthorizationEntry[],
  source: string,
  book: ContractBook,
): ReadAuthorization[] {
  return entries.slice(0, MOST_ENTRIES).map(({ credentials, rootInvocation }) => {
    const covered = coveredCalls(rootInvocation);
    const signed = signedBy(credentials);
    const validUntil = signed?.signatureExpirationLedger ?? 0;
    return {
      covered,
      shown: {
        by: signed === undefined ? source : addressText(signed.address),
        bySource: signed === undefined,
        validUntilLedger: validUntil === 0 ? null : validUntil,
        calls: covered.map((call) => callName(book(call.contract), call.function)),
      },
    };
  });
}

/** Delegated credentials have a signer like the others, and additional signers (CAP-71). */
function signedBy(credentials: xdr.SorobanCredentials): xdr.SorobanAddressCredentials | undefined {
  return credentials.type === 'sorobanCredentialsAddressWithDelegates'
    ? credentials.addressWithDelegates.addressCredentials
    : addressCredentials(credentials);
}

/** Contract calls, outermost first, without the creation of contracts. */
function coveredCalls(root: xdr.SorobanAuthorizedInvocation): CoveredCall[] {
  const calls: CoveredCall[] = [];
  const waiting = [root];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (calls.length >= MOST_CALLS) break;
    waiting.push(...next.subInvocations);
    if (next.function.type !== 'sorobanAuthorizedFunctionTypeContractFn') continue;
    const { contractAddress, functionName, args } = next.function.contractFn;
    calls.push({
      contract: addressText(contractAddress),
      function: functionName.toString(),
      arguments: comparable(recorded(args)),
    });
  }
  return calls;
}

/** The arguments, as the host records them in `fn_call`. */
function recorded(args: readonly xdr.ScVal[]): xdr.ScVal {
  const [first] = args;
  if (first === undefined) return xdr.ScVal.scvVoid();
  return args.length === 1 ? first : xdr.ScVal.scvVec([...args]);
}

function comparable(value: xdr.ScVal): string {
  return Buffer.from(encodeXdr(value)).toString('base64');
}

/**
 * Returns the addresses whose authorization covers a call. A contract can require authorization for other arguments than those
 * of its call (`require_auth_for_args`), so if no authorization has these arguments, only contract and function are compared.
 */
export function authorizersOf(
  authorizations: readonly ReadAuthorization[],
  call: { readonly contract: string; readonly function: string; readonly arguments: xdr.ScVal },
): string[] {
  if (authorizations.length === 0) return [];
  const named = authorizations.filter(({ covered }) => covered.some((one) => isCall(one, call)));
  if (named.length === 0) return [];
  const given = comparable(call.arguments);
  const exact = named.filter(({ covered }) =>
    covered.some((one) => isCall(one, call) && one.arguments === given),
  );
  const found = exact.length > 0 ? exact : named;
  return [...new Set(found.map(({ shown }) => shown.by))];
}

function isCall(
  one: CoveredCall,
  call: { readonly contract: string; readonly function: string },
): boolean {
  return one.contract === call.contract && one.function === call.function;
}
