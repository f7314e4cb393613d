import { xdr } from '@stellar/stellar-sdk';
import { toI128 } from '../../src/protocol/stellar/index.ts';
import { testKey } from '../../test/support/payer.ts';
import { USDC } from '../../test/support/payment.ts';
import type { Contender } from './governedAccount.ts';
import { readModule } from './readModule.ts';
import { address, single, struct, variant } from './values.ts';

const DAY_IN_SECONDS = 86_400n;
const NEVER = 0n;

/**
 * Crossmint's account, whose own token transfer policy limits the agent's key.
 *
 * @param path of its module, which is not part of this repository
 */
export function crossmint(name: string, path: string): Contender {
  const account = readModule(path);
  return {
    name,
    since: 27,
    modules: [account],
    async open(chain, limit) {
      const agent = testKey('agent');
      const key = xdr.ScVal.scvBytes(agent.publicKey);
      const policy = struct({
        allowed_recipients: xdr.ScVal.scvVoid(),
        expiration: xdr.ScVal.scvU64(NEVER),
        limit: toI128(limit),
        policy_id: xdr.ScVal.scvBytes(new Uint8Array(32).fill(1)),
        reset_window_secs: xdr.ScVal.scvU64(DAY_IN_SECONDS),
        token: address(USDC),
      });
      const policies = xdr.ScVal.scvVec([variant('TokenTransferPolicy', policy)]);
      const signer = (publicKey: xdr.ScVal, role: xdr.ScVal) =>
        variant('Ed25519', struct({ public_key: publicKey }), role);
      const owner = xdr.ScVal.scvBytes(testKey('owner').publicKey);
      const signers = [
        signer(owner, variant('Admin')),
        signer(key, variant('Standard', policies, xdr.ScVal.scvU64(NEVER))),
      ];
      const id = await chain.deploy(account, [xdr.ScVal.scvVec(signers), xdr.ScVal.scvVec([])]);
      return {
        id,
        byAgent: (hash) => {
          const signature = variant('Ed25519', xdr.ScVal.scvBytes(agent.sign(hash)));
          return xdr.ScVal.scvVec([single(variant('Ed25519', key), signature)]);
        },
      };
    },
  };
}
