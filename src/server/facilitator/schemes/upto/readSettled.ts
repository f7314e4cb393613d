import * as xdr from '@stellar/stellar-sdk/xdr';
import { readI128, settledInvocation, type UptoTerms } from '../../../../protocol/stellar/index.ts';
import type { StellarNetwork } from '../../../network/index.ts';
import { invocationOperation, unsignedEnvelope } from '../checks/invocationEnvelope.ts';

type Nonce = Pick<UptoTerms, 'contract' | 'from' | 'nonce'>;

/** The contract's answer about a nonce. */
export interface SettledRecord {
  /** `undefined` if the nonce is unused, or its record has expired: 17,280 ledgers after the settled terms. */
  readonly amount: bigint | undefined;
  readonly latestLedger: number;
}

/**
 * Asks the contract what it has settled under the payer's nonce; `undefined` if it cannot be asked.
 * @throws RpcError if the ledger does not answer
 */
export async function askSettled(
  terms: Nonce,
  network: StellarNetwork,
): Promise<SettledRecord | undefined> {
  const operation = invocationOperation(settledInvocation(terms), []);
  const simulation = await network.simulate(unsignedEnvelope(operation, undefined));
  if (simulation.status !== 'success' || simulation.returned === undefined) return undefined;
  const amount = readI128(xdr.ScVal.fromXdr(simulation.returned, 'base64'));
  return { amount, latestLedger: simulation.latestLedger };
}

/**
 * Asks the contract for the amount settled under the payer's nonce; `undefined` if the nonce is unused
 * or its record has expired.
 * @throws RpcError if the ledger does not answer
 */
export async function readSettled(
  terms: Nonce,
  network: StellarNetwork,
): Promise<bigint | undefined> {
  return (await askSettled(terms, network))?.amount;
}
