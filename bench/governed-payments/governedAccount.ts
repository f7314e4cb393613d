import type { ContractAddress } from '../../src/protocol/index.ts';
import type { Chain, SignHash } from '../../test/policies/support/chain.ts';

/** A contract's module. */
export interface Module {
  readonly name: string;
  readonly wasm: Uint8Array;
  readonly hash: Uint8Array;
}

/** An account on the ledger with a key that pays in USDC under a limit of a day. */
export interface GovernedAccount {
  readonly id: ContractAddress;
  readonly byAgent: SignHash;
}

/** An account that can be made, and the modules that each of its payments loads. */
export interface Contender {
  readonly name: string;
  /** The oldest protocol that its modules run on: that of the Soroban SDK they were built with. */
  readonly since: number;
  readonly modules: readonly Module[];
  /** @param limit what the agent's key may spend in a day, in atomic units of USDC */
  open(chain: Chain, limit: bigint): Promise<GovernedAccount>;
}
