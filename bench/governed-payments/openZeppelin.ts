import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import type { ContractAddress } from '../../src/protocol/index.ts';
import { toI128 } from '../../src/protocol/stellar/index.ts';
import type { SignHash } from '../../test/policies/support/chain.ts';
import { type TestKey, testKey } from '../../test/support/payer.ts';
import { USDC } from '../../test/support/payment.ts';
import type { Contender } from './governedAccount.ts';
import { readModule } from './readModule.ts';
import { address, single, struct, variant } from './values.ts';

/** A day in ledgers of five seconds each, because their limit counts ledgers. */
const DAY_IN_LEDGERS = 17_280;
const OWNERS_RULE = 0;
const AGENTS_RULE = 1;

/**
 * An account of OpenZeppelin's `stellar-accounts`, whose rule for USDC names the agent's key and a spending limit.
 *
 * @param folder with the modules that build.sh builds
 */
export function openZeppelin(name: string, folder: string): Contender {
  const account = readModule(`${folder}/openzeppelin-account.wasm`);
  const spendingLimit = readModule(`${folder}/openzeppelin-spending-limit.wasm`);
  const verifier = readModule(`${folder}/openzeppelin-ed25519-verifier.wasm`);
  return {
    name,
    since: 28,
    modules: [account, spendingLimit, verifier],
    async open(chain, limit) {
      const checks = await chain.deploy(verifier);
      const policy = await chain.deploy(spendingLimit);
      const owner = testKey('owner');
      const agent = testKey('agent');
      const signer = (key: TestKey) =>
        variant('External', address(checks), xdr.ScVal.scvBytes(key.publicKey));
      const id = await chain.deploy(account, [signer(owner)]);
      const by =
        (key: TestKey, rule: number): SignHash =>
        (hash) =>
          payload(signer(key), key.sign(digest(id, rule, hash)), rule);
      const parameters = struct({
        period_ledgers: xdr.ScVal.scvU32(DAY_IN_LEDGERS),
        spending_limit: toI128(limit),
      });
      const rule = [
        variant('CallContract', address(USDC)),
        xdr.ScVal.scvString('agent'),
        xdr.ScVal.scvVoid(),
        xdr.ScVal.scvVec([signer(agent)]),
        single(address(policy), parameters),
      ];
      await chain.call(id, 'add_context_rule', rule, by(owner, OWNERS_RULE));
      return { id, byAgent: by(agent, AGENTS_RULE) };
    },
  };
}

/** What a key signs there: the account, the rule that it invokes, and the authorization's hash. */
function digest(account: ContractAddress, rule: number, hash: Uint8Array): Uint8Array {
  const preimage = struct({
    account: address(account),
    context_rule_ids: xdr.ScVal.scvVec([xdr.ScVal.scvU32(rule)]),
    signature_payload: xdr.ScVal.scvBytes(hash),
  });
  return createHash('sha256').update(preimage.toXdr()).digest();
}

function payload(signer: xdr.ScVal, signature: Uint8Array, rule: number): xdr.ScVal {
  return struct({
    context_rule_ids: xdr.ScVal.scvVec([xdr.ScVal.scvU32(rule)]),
    signers: single(signer, xdr.ScVal.scvBytes(signature)),
  });
}
