import { EARLIER_MODULE_HASHES, MODULE_HASHES } from '../../common/moduleHashes.ts';

const OWN: ReadonlySet<string> = new Set([
  ...Object.values(MODULE_HASHES),
  ...Object.values(EARLIER_MODULE_HASHES).flat(),
]);

/**
 * Whether a contract's code, by its SHA-256 in hex, is that of one of the project's own contracts, in this or an earlier
 * version.
 */
export function isOwnCode(hash: string): boolean {
  return OWN.has(hash);
}
