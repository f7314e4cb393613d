import type { ContractAddress } from '../../src/protocol/index.ts';
import type { Chain, SignHash } from '../../test/policies/support/chain.ts';

/** A contract's module. */
export interface Module {
  readonly name: string;
  readonly wasm: Uint8Array;
  readonly hash: Uint8Array;
}

/** An account on the ledger with a key that pays in USDC under a daily limit. */
export interface GovernedAccount {
  readonly id: ContractAddress;
  readonly byAgent: SignHash;
}

/** A kind of account that can be created, and the modules that each of its payments loads. */
export interface Contender {
  readonly name: string;
  /** The oldest protocol on which its modules run: that of the Soroban SDK with which they were built. */
  readonly since: number;
  readonly modules: readonly Module[];
  /** @param limit amount that the agent's key may spend per day, in atomic units of USDC */
  open(chain: Chain, limit: bigint): Promise<GovernedAccount>;
}
