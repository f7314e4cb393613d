/** Fetches URLs from strangers without access to networks that are not public. */
export type { Dial, Resolve } from './dial.ts';
export {
  type FetchedHeaders,
  type FetchHeadersOptions,
  fetchHeaders,
  type HeadersOnly,
} from './fetchHeaders.ts';
export { fetchTarget } from './fetchTarget.ts';
export { isPublicAddress } from './publicAddress.ts';
