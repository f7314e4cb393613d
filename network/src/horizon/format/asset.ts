import { xdr } from '@stellar/stellar-sdk';
import { accountIdString } from '../../state/index.ts';
import { addressOf, parseAccount, publicKeyOf } from './address.ts';

type AnyAsset = xdr.Asset | xdr.TrustLineAsset;

const TYPES = {
  assetTypeNative: 'native',
  assetTypeCreditAlphanum4: 'credit_alphanum4',
  assetTypeCreditAlphanum12: 'credit_alphanum12',
  assetTypePoolShare: 'liquidity_pool_shares',
} as const satisfies Record<AnyAsset['type'], string>;

/** `native`, `credit_alphanum4`, `credit_alphanum12` or `liquidity_pool_shares`. */
export type AssetTypeText = (typeof TYPES)[AnyAsset['type']];

export function assetTypeText<A extends AnyAsset>(asset: A): (typeof TYPES)[A['type']] {
  return TYPES[asset.type as A['type']];
}

/** Code and issuer of an issued asset. */
export interface CreditText {
  readonly code: string;
  readonly issuer: string;
}

export function creditText(asset: AnyAsset): CreditText | undefined {
  switch (asset.type) {
    case 'assetTypeCreditAlphanum4':
    case 'assetTypeCreditAlphanum12': {
      const { assetCode, issuer } = asset.value;
      return { code: codeText(assetCode.value), issuer: addressOf(accountIdString(issuer)) };
    }
    default:
      return undefined;
  }
}

/** An asset in three fields, each with a prefix. */
export type AssetFields<Prefix extends string = ''> = {
  readonly [name in `${Prefix}asset_type`]: AssetTypeText;
} & {
  /** Absent for the native asset. */
  readonly [name in `${Prefix}asset_code` | `${Prefix}asset_issuer`]?: string;
};

/** Writes an asset as separate fields. */
export function assetFields<Prefix extends string = ''>(
  asset: AnyAsset,
  prefix: Prefix = '' as Prefix,
): AssetFields<Prefix> {
  const credit = creditText(asset);
  const type = { [`${prefix}asset_type`]: assetTypeText(asset) };
  const fields: object =
    credit === undefined
      ? type
      : {
          ...type,
          [`${prefix}asset_code`]: credit.code,
          [`${prefix}asset_issuer`]: credit.issuer,
        };
  return fields as AssetFields<Prefix>;
}

/** SEP-11: `native` or `CODE:ISSUER`. */
export function canonicalAsset(asset: Exclude<AnyAsset, xdr.TrustLineAssetPoolShare>): string {
  const credit = creditText(asset);
  return credit === undefined ? 'native' : `${credit.code}:${credit.issuer}`;
}

/** Reads the format of `canonicalAsset`; undefined if the text is not an asset. */
export function parseCanonicalAsset(text: string): xdr.Asset | undefined {
  if (text === 'native') return xdr.Asset.assetTypeNative();
  const [code, issuer, more] = text.split(':');
  if (code === undefined || issuer === undefined || more !== undefined) return undefined;
  return creditAsset(code, issuer);
}

/** The asset with a code and an issuer; undefined if either is invalid. */
export function creditAsset(code: string, issuer: string): xdr.Asset | undefined {
  const account = parseAccount(issuer);
  if (account === undefined || !/^[a-zA-Z0-9]{1,12}$/.test(code)) return undefined;
  const key = publicKeyOf(account);
  const bytes = (length: number): Uint8Array => Buffer.from(code.padEnd(length, '\0'), 'latin1');
  return code.length <= 4
    ? xdr.Asset.assetTypeCreditAlphanum4(
        new xdr.AlphaNum4({ assetCode: new xdr.AssetCode4(bytes(4)), issuer: key }),
      )
    : xdr.Asset.assetTypeCreditAlphanum12(
        new xdr.AlphaNum12({ assetCode: new xdr.AssetCode12(bytes(12)), issuer: key }),
      );
}

/** Codes are padded with zero bytes. */
function codeText(code: Uint8Array): string {
  const end = code.indexOf(0);
  return Buffer.from(end < 0 ? code : code.subarray(0, end)).toString('latin1');
}
