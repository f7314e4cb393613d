import { xdr } from '@stellar/stellar-sdk';
import type { AccountIdString } from '../../state/index.ts';
import { parseAccount } from '../format/address.ts';
import { parseAmount } from '../format/amount.ts';
import { creditAsset, parseCanonicalAsset } from '../format/asset.ts';
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

const TYPE_LENGTHS: Readonly<Record<string, number>> = {
  native: 0,
  credit_alphanum4: 4,
  credit_alphanum12: 12,
};

/**
 * Reads an asset from three parameters with the same prefix (`selling_asset_type`, …); undefined if none of them is given.
 * @throws HorizonProblem `bad_request`
 */
export function assetParameters(request: HorizonRequest, prefix: string): xdr.Asset | undefined {
  const [typeName, codeName, issuerName] = ['type', 'code', 'issuer'].map(
    (part) => `${prefix}asset_${part}`,
  ) as [string, string, string];
  const type = request.text(typeName);
  const code = request.text(codeName);
  const issuer = request.text(issuerName);
  if (type === '') {
    if (code !== '' || issuer !== '') throw invalidField(typeName, 'Missing parameter');
    return undefined;
  }
  const longest = TYPE_LENGTHS[type];
  if (longest === undefined) {
    throw invalidField(
      typeName,
      'Asset type must be native, credit_alphanum4 or credit_alphanum12',
    );
  }
  if (longest === 0) {
    if (code !== '') throw invalidField(codeName, 'native asset does not have a code');
    if (issuer !== '') throw invalidField(issuerName, 'native asset does not have an issuer');
    return xdr.Asset.assetTypeNative();
  }
  if (code === '' || code.length > longest) {
    throw invalidField(codeName, 'Asset code must be 1-12 alphanumeric characters');
  }
  if (issuer === '') throw invalidField(issuerName, 'Missing parameter');
  const asset = creditAsset(code, issuer);
  if (asset === undefined) {
    throw invalidField(
      issuerName,
      'Account ID must start with `G` and contain 56 alphanum characters',
    );
  }
  return asset;
}

/** Like `assetParameters`, for a required asset. @throws HorizonProblem `bad_request` */
export function requiredAsset(request: HorizonRequest, prefix: string): xdr.Asset {
  const asset = assetParameters(request, prefix);
  if (asset === undefined) throw invalidField(`${prefix}asset_type`, 'Missing parameter');
  return asset;
}

/** Assets in their canonical form, separated by commas. @throws HorizonProblem `bad_request` */
export function assetList(request: HorizonRequest, name: string): xdr.Asset[] {
  const text = request.text(name);
  if (text === '') return [];
  return text.split(',').map((one) => {
    const asset = parseCanonicalAsset(one);
    if (asset === undefined) throw invalidField(name, `${one} is not a valid asset`);
    return asset;
  });
}

/** One asset in its canonical form, if given. @throws HorizonProblem `bad_request` */
export function canonicalParameter(request: HorizonRequest, name: string): xdr.Asset | undefined {
  const text = request.text(name);
  if (text === '') return undefined;
  const asset = parseCanonicalAsset(text);
  if (asset !== undefined) return asset;
  throw invalidField(
    name,
    'Asset must be the string "native" or a string of the form "Code:IssuerAccountID" for issued assets.',
  );
}
