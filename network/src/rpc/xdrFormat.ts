import type { xdr } from '@stellar/stellar-sdk';
import { decodeXdr, encodeXdr, type XdrClass } from '../xdr/index.ts';
import { RpcError } from './rpcError.ts';
import type { RpcParams } from './rpcParams.ts';

/** How XDR values are written: as base64, or as JSON according to SEP-51. */
export type XdrFormat = 'base64' | 'json';

/** A value in base64. */
export function base64Xdr(value: xdr.XdrValue): string {
  return base64Text(encodeXdr(value));
}

/** XDR in base64. */
export function base64Text({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** Returns why an `xdrFormat` is invalid; undefined if it is valid. */
export function formatProblem(format: string): string | undefined {
  if (format === '' || format === 'base64' || format === 'json') return undefined;
  return `got '${format}': expected base64, json for optional 'xdrFormat'`;
}

/** Reads `xdrFormat`. @throws RpcError */
export function formatOf(params: RpcParams): XdrFormat {
  const format = params.text('xdrFormat');
  const problem = formatProblem(format);
  if (problem !== undefined) throw new RpcError('invalidParams', problem);
  return format === 'json' ? 'json' : 'base64';
}

/** Writes one value under the format's field name. JSON follows SEP-51. */
export type XdrField<
  F extends XdrFormat,
  Base64Name extends string,
  JsonName extends string,
> = F extends 'base64'
  ? { readonly [name in Base64Name]: string }
  : { readonly [name in JsonName]: unknown };

/** Writes a list of values under the format's field name; omits an empty list. */
export type XdrListField<
  F extends XdrFormat,
  Base64Name extends string,
  JsonName extends string,
> = F extends 'base64'
  ? { readonly [name in Base64Name]?: readonly string[] }
  : { readonly [name in JsonName]?: readonly unknown[] };

/**
 * A value under the field name for its format.
 * @param names the field names for base64 and for JSON
 */
export function xdrField<F extends XdrFormat, Base64Name extends string, JsonName extends string>(
  format: F,
  names: readonly [base64: Base64Name, json: JsonName],
  value: xdr.XdrValue,
): XdrField<F, Base64Name, JsonName> {
  const field: object =
    format === 'json' ? { [names[1]]: value.toJson() } : { [names[0]]: base64Xdr(value) };
  return field as XdrField<F, Base64Name, JsonName>;
}

/** A list of values under the field name for their format. An empty list is omitted, as in Stellar RPC. */
export function xdrListField<
  F extends XdrFormat,
  Base64Name extends string,
  JsonName extends string,
>(
  format: F,
  names: readonly [base64: Base64Name, json: JsonName],
  values: readonly xdr.XdrValue[],
): XdrListField<F, Base64Name, JsonName> {
  const field: object =
    values.length === 0
      ? {}
      : format === 'json'
        ? { [names[1]]: values.map((value) => value.toJson()) }
        : { [names[0]]: values.map(base64Xdr) };
  return field as XdrListField<F, Base64Name, JsonName>;
}

/**
 * Reads base64 XDR; undefined if the text is anything else.
 * @param type the expected type
 */
export function readBase64Xdr<T>(type: XdrClass<T>, text: string): T | undefined {
  return readXdr(type, readBase64(text));
}

/**
 * Decodes base64 strictly, with or without padding. Node's decoder would skip other characters and return fewer bytes.
 */
export function readBase64(text: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const rest = text.length % 4;
  return rest === 0 || (rest !== 1 && !text.endsWith('='))
    ? Buffer.from(text, 'base64')
    : undefined;
}

/** Reads XDR; undefined if the bytes are anything else or missing. */
export function readXdr<T>(type: XdrClass<T>, bytes: Uint8Array | undefined): T | undefined {
  if (bytes === undefined) return undefined;
  try {
    return decodeXdr(type, bytes);
  } catch {
    return undefined;
  }
}
