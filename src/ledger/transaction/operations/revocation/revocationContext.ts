import type { OperationContext } from '../operation.ts';

/** What taking authorization away needs to know of its operation. */
export type RevocationContext = Pick<OperationContext, 'ltx' | 'tx' | 'index' | 'events'>;
