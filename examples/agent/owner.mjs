// The owner's part: a wallet, a limit on what an agent can spend from it, and the agent's key. In an app the owner is a person
// with a passkey in a browser, who is prompted once, to attach the policy; here it is a key in this process, so that the
// example runs without a browser.

import { readFile } from 'node:fs/promises';
import { Address, hash, nativeToScVal, Operation, StrKey, xdr } from '@stellar/stellar-sdk';
// In an app that has installed svc-x402: from 'svc-x402/sdk'.
import {
  accountSignature,
  agentSigner,
  createPolicyClient,
  createWalletAgents,
  signControlProof,
  toSigner,
} from '../../dist/sdk.node.mjs';
import { ask, call, openAccount, submit, usdcContract } from './ledger.mjs';
import { accountModule, cap, funding, gatewayUrl, network, rpcUrl } from './settings.mjs';
import { decimal, tell, units } from './steps.mjs';

const KEPT = { expirationLedger: null, storage: 'Persistent' };
/** Converts a value from the SDK for this copy of the Stellar SDK. */
const own = (value) => xdr.ScVal.fromXdr(value.toXdr());

/**
 * Gives an agent's key a wallet from which it can spend within the cap.
 *
 * @param {Uint8Array} agentKey the agent's public key
 */
export async function openWallet(agentKey) {
  const owner = await openAccount('1');
  const publicKey = owner.rawPublicKey();
  const wallet = await deployAccount(owner, publicKey);
  tell('wallet', { wallet }, `wallet      ${wallet}, a smart account with one owner`);

  const asWallet = (digest) => {
    const signature = owner.sign(digest);
    return own(accountSignature([{ kind: 'ed25519', publicKey, signature }]));
  };
  const addSigner = (signer) => submit(owner, call(wallet, 'add_signer', [signer]), asWallet);

  const gateway = createPolicyClient({ apiUrl: gatewayUrl, network });
  const generated = await gateway.generate({
    version: '1',
    type: 'spending_limit',
    owners: [wallet],
    spendingLimits: { daily: [{ asset: usdcContract, amount: cap }] },
  });
  const { id, contract, summary, grantOn, attach } = generated;
  const policy = contract.contractId;
  tell(
    'generated',
    { id, policy, summary },
    [
      `policy      ${summary.title}`,
      ...summary.prevents.map((text) => `  prevents  ${text}`),
      ...summary.doesNotPrevent.map((text) => `  does not  ${text}`),
      ...summary.warnings.map((text) => `  note      ${text}`),
    ].join('\n'),
  );

  const { deployable, cost, errors } = await gateway.simulate(id);
  if (!deployable) throw new Error(`It cannot be deployed: ${errors[0]?.message}`);
  tell('simulated', { cost }, `simulated   the sponsor would bid ${cost.total} stroops`);

  // Gateways on public networks let the sponsor pay only for callers that control the wallet.
  const signer = agentSigner(wallet, publicKey, (digest) => owner.sign(digest));
  const proof = await signControlProof(signer, policy, { rpcUrl });
  await gateway.deployInstance(id, proof);
  tell('deployed', { policy }, `deployed    ${policy}, paid by the sponsor`);

  const attached = await addSigner(xdr.ScVal.fromXdr(attach.signerXdr, 'base64'));
  await gateway.record(id, attached.hash);
  tell('attached', attached, `attached    in ${attached.hash}, and recorded`);

  // The key can call only contracts that a grant names, and only if the policy agrees.
  const grants = new Map(grantOn.map((granted) => [granted, [{ kind: 'policy', policy }]]));
  await addSigner(
    own(toSigner({ key: { kind: 'ed25519', publicKey: agentKey }, grants, ...KEPT })),
  );
  const amount = nativeToScVal(units(funding), { type: 'i128' });
  const parties = [owner.publicKey(), wallet].map((address) => new Address(address).toScVal());
  await submit(owner, call(usdcContract, 'transfer', [...parties, amount]));
  tell(
    'granted',
    { funding: units(funding) },
    `granted     the agent's key may spend of ${decimal(units(funding))} USDC what the policy allows`,
  );

  return {
    wallet,
    policy,
    /** Returns what is left of the limit on the ledger. */
    async budget() {
      const agents = createWalletAgents({ wallet, owner: signer, client: gateway, rpcUrl, submit });
      const [{ budgets }] = await agents.list([StrKey.encodeEd25519PublicKey(agentKey)]);
      const [{ limit, spent, left, resetsAt }] = budgets;
      return { limit: units(limit), spent: units(spent), remaining: units(left), resetsAt };
    },
    /** Returns the USDC that an address holds, in units of 0.0000001. */
    balanceOf: (address) => ask(owner, usdcContract, 'balance', [new Address(address).toScVal()]),
  };
}

async function deployAccount(owner, publicKey) {
  const wasm = await readFile(accountModule);
  await submit(owner, Operation.uploadContractWasm({ wasm }));
  const key = { kind: 'ed25519', publicKey };
  const { returned } = await submit(
    owner,
    Operation.createCustomContract({
      address: new Address(owner.publicKey()),
      wasmHash: hash(wasm),
      constructorArgs: [own(toSigner({ key, grants: null, ...KEPT }))],
    }),
  );
  return returned;
}
