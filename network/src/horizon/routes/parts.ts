import { xdr } from '@stellar/stellar-sdk';
import type { HorizonRequest } from '../http/horizonRequest.ts';
import { invalidField } from '../http/problem.ts';

/** The id of a pool in the path, as hex. @throws HorizonProblem `bad_request` */
export function poolIdPart(request: HorizonRequest): string {
  return poolId('liquidity_pool_id', request.part('id'));
}

/** @throws HorizonProblem `bad_request` */
export function poolId(field: string, text: string): string {
  const id = text.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(id)) {
    throw invalidField(field, `${text} does not validate as sha256`);
  }
  return id;
}

/** The id of a claimable balance in the path, as hex of its XDR. @throws HorizonProblem `bad_request` */
export function claimableBalanceIdPart(request: HorizonRequest): string {
  const text = request.part('id');
  const id = text.toLowerCase();
  if (/^[0-9a-f]+$/.test(id) && xdr.ClaimableBalanceId.validateXdr(id, 'hex')) return id;
  throw invalidField(
    'id',
    'Claimable Balance ID must be the hex-encoded XDR representation of a Claimable Balance ID',
  );
}
