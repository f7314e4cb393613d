/** The schemes that are served, and how one is chosen. */
export { chooseScheme } from './chooseScheme.ts';
export { exactScheme } from './exact/exactScheme.ts';
export { prepareExact } from './exact/prepareExact.ts';
export { nonceKey } from './explain/nonceKey.ts';
export { readHolding } from './explain/readHolding.ts';
export { requireUptoContract } from './upto/requireUptoContract.ts';
export { uptoScheme } from './upto/uptoScheme.ts';
