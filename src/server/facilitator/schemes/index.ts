/** The schemes, and the choice of one for a request. */
export { chooseScheme } from './chooseScheme.ts';
export { exactScheme } from './exact/exactScheme.ts';
export { prepareExact } from './exact/prepareExact.ts';
export { encodedNonceKey, nonceKey } from './explain/nonceKey.ts';
export { readHolding } from './explain/readHolding.ts';
export { askSettled } from './upto/readSettled.ts';
export { requireUptoContract } from './upto/requireUptoContract.ts';
export { uptoScheme } from './upto/uptoScheme.ts';
