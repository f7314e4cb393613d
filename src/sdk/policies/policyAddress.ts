import {
  MODULE_HASHES,
  SPENDING_LIMIT_CONSTRUCTOR,
  VERIFIED_ONLY_CONSTRUCTOR,
} from '../../protocol/bindings/index.ts';
import {
  type ContractAddress,
  parseAccountAddress,
  type StellarAddress,
  TESTNET_PASSPHRASE,
} from '../../protocol/index.ts';
import {
  constructorArguments,
  contractIdInput,
  deployedBy,
  type GeneratedPolicy,
  type PolicyDefinition,
  policyIdInput,
  policyIdOf,
  policySaltInput,
} from '../../protocol/policies/index.ts';
import { contractAddressOf } from '../../protocol/stellar/index.ts';
import type { Platform } from '../exact/index.ts';
import { PolicyMismatchError } from './errors.ts';
import type { LedgerPolicy } from './readPolicy.ts';

/** The account that must have deployed the policies to attach; `undefined`: the one that the gateway names. */
export type Deployer = string | undefined;

/**
 * Checks that a policy is at the address that is derived from its definition: from its deployer, and from an id that is a hash
 * of all its terms and of the key that it is for. A gateway therefore cannot substitute another key's policy, or one that
 * somebody else deployed, for the requested one.
 * @param policy read from the ledger and already compared with the definition
 * @throws PolicyMismatchError
 */
export async function verifyAddress(
  policy: LedgerPolicy,
  definition: PolicyDefinition,
  generated: GeneratedPolicy,
  known: Deployer,
  platform: Platform,
): Promise<void> {
  const wrong = (what: string) => new PolicyMismatchError(policy.contract, what);
  const named = generated.contract?.deployer;
  const deployer = named === undefined ? undefined : parseAccountAddress(named);
  if (deployer === undefined) throw wrong('the gateway does not report which account deployed it');
  if (known !== undefined && known !== deployer) {
    throw wrong(`the gateway deployed it from ${deployer}, not from ${known}`);
  }
  const sha256 = (bytes: Uint8Array) => platform.sha256(bytes);
  const id = policyIdOf(await sha256(idInput(policy, definition)));
  const preimage = deployedBy(deployer, await sha256(policySaltInput(id)));
  const networkId = await sha256(new TextEncoder().encode(TESTNET_PASSPHRASE));
  const address = contractAddressOf(await sha256(contractIdInput(preimage, networkId)));
  if (address !== policy.contract) {
    throw wrong(`the address of what was asked for is ${address}`);
  }
}

/** The ledger's policy matches the definition, so its own terms are hashed. */
function idInput(policy: LedgerPolicy, definition: PolicyDefinition): Uint8Array {
  const agent = definition.type === 'spending_limit' ? (definition.agent ?? null) : null;
  const wallet = policy.wallet as ContractAddress;
  const origin = { type: policy.type, wallet, agent };
  if (policy.type === 'verified_only') {
    const registry = policy.registry as ContractAddress;
    const args = constructorArguments(VERIFIED_ONLY_CONSTRUCTOR, { wallet, registry });
    return policyIdInput(origin, bytes(MODULE_HASHES['verified-only']), encoded(args));
  }
  const { asset, upto, limit, window, perPayment, recipients, maxPayments, sliding } = policy;
  const args = constructorArguments(SPENDING_LIMIT_CONSTRUCTOR, {
    wallet,
    token: asset as ContractAddress,
    upto: (upto as ContractAddress | undefined) ?? null,
    limit,
    window,
    per_payment: perPayment ?? null,
    recipients: (recipients as readonly StellarAddress[] | undefined) ?? null,
    payments: maxPayments ?? null,
    sliding,
  });
  return policyIdInput(origin, bytes(MODULE_HASHES['spending-limit']), encoded(args));
}

function encoded(args: ReturnType<typeof constructorArguments>) {
  return args.map((one) => one.encoded);
}

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
