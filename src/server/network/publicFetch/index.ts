/** Fetching what strangers name, without reaching into networks that are not public. */
export type { Dial, Resolve } from './dial.ts';
export { type FetchedHeaders, type FetchHeadersOptions, fetchHeaders } from './fetchHeaders.ts';
export { fetchTarget } from './fetchTarget.ts';
export { isPublicAddress } from './publicAddress.ts';
