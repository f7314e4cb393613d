import type { AccountIdString } from '../../state/index.ts';
import { parseAccount } from '../format/address.ts';
import { parseAmount } from '../format/amount.ts';
import type { HorizonRequest } from './horizonRequest.ts';
import { invalidField } from './problem.ts';

const NO_ACCOUNT = 'Account ID must start with `G` and contain 56 alphanum characters';

/** Reads an account from the path. @throws HorizonProblem `bad_request` */
export function accountPart(request: HorizonRequest): AccountIdString {
  const account = parseAccount(request.part('account_id'));
  if (account === undefined) throw invalidField('account_id', NO_ACCOUNT);
  return account;
}

/** Reads an account from the query, if given. @throws HorizonProblem `bad_request` */
export function accountParameter(
  request: HorizonRequest,
  name: string,
): AccountIdString | undefined {
  const text = request.text(name);
  if (text === '') return undefined;
  const account = parseAccount(text);
  if (account === undefined) throw invalidField(name, NO_ACCOUNT);
  return account;
}

/** A positive amount. @throws HorizonProblem `bad_request` */
export function amountParameter(request: HorizonRequest, name: string): bigint {
  const amount = parseAmount(request.text(name));
  if (amount === undefined || amount <= 0n) throw invalidField(name, 'Amount must be positive');
  return amount;
}
