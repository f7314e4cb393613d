import type { xdr } from '@stellar/stellar-sdk';
import type { Actor, Scene } from './scene.ts';

/** An operation that somebody wants to do. */
export interface Intent {
  readonly who: Actor;
  readonly body: xdr.OperationBody;
}

/** Thinks of an operation, or of none where the ledger has nothing to do it with. */
export type Impulse = (scene: Scene) => Intent | undefined;
