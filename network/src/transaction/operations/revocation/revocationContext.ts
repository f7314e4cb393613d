import type { OperationContext } from '../operation.ts';

/** What the revocation of an authorization needs to know about its operation. */
export type RevocationContext = Pick<OperationContext, 'ltx' | 'tx' | 'index' | 'events'>;
