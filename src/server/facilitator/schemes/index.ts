/** The schemes, and the choice of one for a request. */
export { chooseScheme } from './checks/checkTerms.ts';
export { exactScheme, prepareExact } from './exact/exactScheme.ts';
export { readHolding } from './explain/readHolding.ts';
export { askSettled } from './upto/readSettled.ts';
export { requireUptoContract } from './upto/requireUptoContract.ts';
export { uptoScheme } from './upto/uptoScheme.ts';
