import { didWebOf, KEY_BYTES, keyInDocument, keyInMultibase, multibaseOf } from './did.ts';

/** Data entries of an account that name keys, as multibase (`z6Mk…`): the key in use, and the next or the last one. */
export const KEY_ENTRIES = ['offer_receipt_key', 'offer_receipt_key_2'] as const;

/** Member of a `stellar.toml` that lists keys, as multibase. */
export const TOML_KEYS = 'OFFER_RECEIPT_KEYS';
/** Member of a `stellar.toml` that lists the accounts of its organization (SEP-1). */
const TOML_ACCOUNTS = 'ACCOUNTS';

/** Characters of a document that is read: SEP-1 allows 100 KB. */
export const MAX_DOCUMENT = 100 * 1024;

/** Verification methods of a document that are looked at. */
const MAX_METHODS = 32;

const isSame = (one: Uint8Array | undefined, other: Uint8Array): boolean =>
  one?.length === KEY_BYTES && one.every((byte, at) => byte === other[at]);

/** Whether the document of an origin's own `did:web` names a key for statements. */
export function originNames(document: unknown, origin: string, key: Uint8Array): boolean {
  if (typeof document !== 'object' || document === null) return false;
  const { assertionMethod }: { assertionMethod?: unknown } = { ...document };
  if (!Array.isArray(assertionMethod)) return false;
  const kids: readonly unknown[] = assertionMethod.slice(0, MAX_METHODS);
  return kids.some(
    (kid) => typeof kid === 'string' && isSame(keyInDocument(document, didWebOf(origin), kid), key),
  );
}

/** Whether one of an account's entries names a key. */
export function entriesName(entries: readonly string[], key: Uint8Array): boolean {
  return entries.some((text) => isSame(keyInMultibase(text.trim()), key));
}

/**
 * Returns the strings of a list at the top of a TOML text. Reads this form alone; `undefined` if it is not there exactly once.
 * @param name of the member, in capitals
 */
function listIn(toml: string, name: string): readonly string[] | undefined {
  const plain = toml.slice(0, MAX_DOCUMENT).replace(/#[^\n]*/g, '');
  const [top = ''] = plain.split(/^[ \t]*\[/m, 1);
  const lists = [...top.matchAll(/^[ \t]*([A-Z_]+)[ \t]*=[ \t]*\[([^\][]*)\]/gm)];
  const found = lists.filter(([, named]) => named === name);
  if (found.length !== 1) return undefined;
  return [...(found[0]?.[2] ?? '').matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(
    ([, one, other]) => one ?? other ?? '',
  );
}

/**
 * Whether the `stellar.toml` of an account's home domain names a key. It has to list the account too: many accounts of a wallet
 * have the wallet's domain, which is not theirs.
 */
export function tomlNames(toml: string, account: string, key: Uint8Array): boolean {
  return (
    listIn(toml, TOML_ACCOUNTS)?.includes(account) === true &&
    entriesName(listIn(toml, TOML_KEYS) ?? [], key)
  );
}

/** Returns a key as `did:key`, without the fragment. */
export function didOfKey(key: Uint8Array): string {
  return `did:key:${multibaseOf(key)}`;
}
