import * as xdr from '@stellar/stellar-sdk/xdr';
import { readI128, settledInvocation, type UptoTerms } from '../../../../protocol/stellar/index.ts';
import type { StellarNetwork } from '../../../network/index.ts';
import { invocationOperation, unsignedEnvelope } from '../checks/invocationEnvelope.ts';

/**
 * Asks the contract for the amount settled under the payer's nonce; `undefined` if the nonce is unused
 * or its record has expired.
 * @throws RpcError if the ledger does not answer
 */
export async function readSettled(
  terms: Pick<UptoTerms, 'contract' | 'from' | 'nonce'>,
  network: StellarNetwork,
): Promise<bigint | undefined> {
  const operation = invocationOperation(settledInvocation(terms), []);
  const simulation = await network.simulate(unsignedEnvelope(operation, undefined));
  if (simulation.status !== 'success' || simulation.returned === undefined) return undefined;
  return readI128(xdr.ScVal.fromXdr(simulation.returned, 'base64'));
}
