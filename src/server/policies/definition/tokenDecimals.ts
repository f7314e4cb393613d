import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  type ContractAddress,
  parseContractAddress,
  STELLAR_DECIMALS,
  USDC_CONTRACT,
  XLM_CONTRACT,
} from '../../../protocol/index.ts';
import { LIMIT_MEMBERS } from '../../../protocol/policies/index.ts';
import { toScAddress } from '../../../protocol/stellar/index.ts';
import { type SponsorTools, simulateAsSponsor } from '../deployment/sponsorTransaction.ts';
import type { TokenDecimals } from './readLimit.ts';

/** With more decimal places, one unit exceeds an `i128`. */
const MAX_DECIMALS = 38;
/** Stellar assets, which need no query. */
const STELLAR_ASSETS: ReadonlySet<string> = new Set([XLM_CONTRACT, USDC_CONTRACT]);

/**
 * Queries the decimal places of the token that a definition limits (SEP-41), because an amount such as `2.5` means something
 * different for each token.
 * @throws PolicyError `ledger_unavailable`
 */
export async function tokenDecimals(
  definition: unknown,
  tools: SponsorTools,
): Promise<TokenDecimals> {
  const token = tokenOf(definition);
  if (token === undefined) return () => STELLAR_DECIMALS;
  const decimals = await ask(token, tools);
  return (other) => (other === token ? decimals : STELLAR_DECIMALS);
}

/** Returns the token of the definition's one limit; a definition with more limits is refused later. */
function tokenOf(definition: unknown): ContractAddress | undefined {
  const limits = Object(Object(definition).spendingLimits);
  const lists = LIMIT_MEMBERS.map((member): unknown => limits[member]);
  const all = lists.flatMap((list): unknown[] => (Array.isArray(list) ? list.slice(0, 2) : []));
  if (all.length !== 1) return undefined;
  const asset: unknown = Object(all[0]).asset;
  const token = typeof asset === 'string' ? parseContractAddress(asset) : undefined;
  return token !== undefined && STELLAR_ASSETS.has(token) ? undefined : token;
}

async function ask(token: ContractAddress, tools: SponsorTools): Promise<number | undefined> {
  const call = new xdr.InvokeContractArgs({
    contractAddress: toScAddress(token),
    functionName: 'decimals',
    args: [],
  });
  const hostFunction = xdr.HostFunction.hostFunctionTypeInvokeContract(call);
  const operation = new xdr.Operation({
    sourceAccount: null,
    body: xdr.OperationBody.invokeHostFunction(
      new xdr.InvokeHostFunctionOp({ hostFunction, auth: [] }),
    ),
  });
  const simulation = await simulateAsSponsor(operation, tools);
  if (simulation.status !== 'success' || simulation.returned === undefined) return undefined;
  const value = xdr.ScVal.fromXdr(simulation.returned, 'base64');
  return value.type === 'scvU32' && value.u32 <= MAX_DECIMALS ? value.u32 : undefined;
}
