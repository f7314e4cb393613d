import { createPublicKey } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  type ContractAddress,
  decodeStrKey,
  parseContractAddress,
} from '../../../protocol/index.ts';
import {
  controlInvocation,
  type DeployedInstance,
  type PasskeyOutcome,
  type PasskeyTask,
} from '../../../protocol/policies/index.ts';
import {
  type PasskeyAssertion,
  type SignerKey,
  toSigner,
  toSignerKey,
} from '../../../protocol/smartAccount/index.ts';
import { accountPreimage, contractIdOf, moduleKey } from '../contractIds.ts';
import { creationOperation, uploadOperation } from '../deployment/deployOperation.ts';
import type { SponsorTools } from '../deployment/sponsorTransaction.ts';
import { PolicyError } from '../policyError.ts';
import { accountModule } from '../policyModules.ts';
import type { PolicyRecord, PolicyRecords } from '../policyRecords.ts';
import { reaching } from '../reaching.ts';
import { limitChange } from './limitChange.ts';
import { PasskeyError } from './passkeyError.ts';
import {
  type TaskWords,
  wordsOfAgent,
  wordsOfAttach,
  wordsOfCoSigner,
  wordsOfDeployment,
  wordsOfNewAccount,
  wordsOfRemoval,
  wordsOfRevoke,
} from './taskWords.ts';
import { ownerCall, prepareCall, type SignedCall, type WalletCall } from './walletCall.ts';

/** A browser's answer: a new passkey, or a passkey's signature. */
export type PasskeyAnswer = { readonly keyId: Uint8Array } & (
  | { readonly kind: 'made'; readonly publicKey: Uint8Array }
  | ({ readonly kind: 'signed' } & PasskeyAssertion)
);

export interface PreparedTask {
  readonly words: TaskWords;
  /** `undefined` if a passkey is to be created. */
  readonly challenge: Uint8Array | undefined;
  /** @throws PasskeyError, PolicyError */
  complete(answer: PasskeyAnswer): Promise<Omit<PasskeyOutcome, 'keyId'>>;
}

export interface TaskParts {
  readonly tools: SponsorTools;
  readonly records: PolicyRecords;
  /** A policy with its limits on the ledger, which an owner may have changed. */
  readonly find: (policyId: string) => Promise<PolicyRecord>;
  readonly run: (operation: xdr.Operation) => Promise<string>;
  readonly deploy: (policyId: string, proof: string) => Promise<DeployedInstance>;
  readonly record: (policyId: string, transaction: string) => Promise<unknown>;
  /** Whether accounts can be created here: only on the embedded network. */
  readonly makesAccounts: boolean;
}

const KEPT = { expirationLedger: null, storage: 'Persistent' } as const;

/** Prepares a task and checks that the network would execute it. @throws PasskeyError, PolicyError */
export async function prepareTask(task: PasskeyTask, parts: TaskParts): Promise<PreparedTask> {
  switch (task.kind) {
    case 'create_account':
      return newAccount(parts);
    case 'deploy': {
      const { artifacts } = await parts.find(task.policyId);
      if (artifacts.contract === null) throw new PolicyError('nothing_to_deploy');
      const wallet = contract(artifacts.wallet);
      const invocation = controlInvocation(wallet, contract(artifacts.contract.contractId));
      const words = wordsOfDeployment(artifacts);
      return signedCall({ wallet, invocation }, words, parts, async ({ entry }) => {
        const { deployTxHash } = await parts.deploy(task.policyId, entry.toXdr('base64'));
        return { transaction: deployTxHash ?? '', unrecorded: null };
      });
    }
    case 'attach': {
      const { artifacts, state } = await parts.find(task.policyId);
      if (artifacts.contract !== null && state !== 'deployed' && state !== 'recorded') {
        throw new PolicyError('not_deployed');
      }
      const wallet = contract(artifacts.wallet);
      const argument = xdr.ScVal.fromXdr(artifacts.attach.signerXdr, 'base64');
      const record = async (transaction: string) => {
        await parts.record(task.policyId, transaction);
      };
      const words = wordsOfAttach(artifacts);
      return ownersCall(ownerCall(wallet, 'add_signer', argument), words, parts, record);
    }
    case 'change_limits': {
      const { call, words } = await limitChange(task, parts.tools);
      return ownersCall(call, words, parts);
    }
    case 'revoke': {
      const [wallet, policy] = [contract(task.wallet), contract(task.policy)];
      const kept = await parts.records.findContract(wallet, policy);
      const known = kept && (await parts.find(kept.id));
      const argument = toSignerKey({ kind: 'policy', policy });
      const words = wordsOfRevoke(task, known?.artifacts);
      return ownersCall(ownerCall(wallet, 'remove_signer', argument), words, parts);
    }
    case 'remove_key': {
      const argument = toSignerKey(ed25519(task.key));
      const call = ownerCall(contract(task.wallet), 'remove_signer', argument);
      return ownersCall(call, wordsOfRemoval(task), parts);
    }
    case 'add_co_signer': {
      // An empty map: the key can call nothing, so it is not an owner.
      const argument = toSigner({ key: ed25519(task.key), grants: new Map(), ...KEPT });
      const call = ownerCall(contract(task.wallet), 'add_signer', argument);
      return ownersCall(call, wordsOfCoSigner(task), parts);
    }
    case 'add_agent': {
      const approvers = task.policies.map(
        (policy): SignerKey => ({ kind: 'policy', policy: contract(policy) }),
      );
      if (approvers.length === 0 || task.contracts.length === 0) {
        throw malformed('a key needs contracts, and policies that must agree');
      }
      const grants = new Map(task.contracts.map((granted) => [contract(granted), approvers]));
      const argument = toSigner({ key: ed25519(task.agent), grants, ...KEPT });
      const call = ownerCall(contract(task.wallet), 'add_signer', argument);
      return ownersCall(call, wordsOfAgent(task), parts);
    }
  }
}

function newAccount({ makesAccounts, tools, run }: TaskParts): PreparedTask {
  if (!makesAccounts) throw new PasskeyError('accounts_elsewhere');
  return {
    words: wordsOfNewAccount(),
    challenge: undefined,
    async complete(answer) {
      if (answer.kind !== 'made') throw malformed('the task creates a passkey');
      return {
        ...(await createAccount(answer.keyId, answer.publicKey, tools, run)),
        unrecorded: null,
      };
    },
  };
}

/** Prepares a call that only an owner may authorize, which the sponsor submits. */
function ownersCall(
  call: WalletCall,
  words: TaskWords,
  parts: TaskParts,
  record: (transaction: string) => Promise<void> = async () => undefined,
): Promise<PreparedTask> {
  return signedCall(call, words, parts, async ({ operation }) => {
    const transaction = await parts.run(operation);
    // It is on the ledger even if recording it fails.
    const unrecorded = await record(transaction).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    return { transaction, unrecorded };
  });
}

async function signedCall(
  call: WalletCall,
  words: TaskWords,
  { tools }: TaskParts,
  finish: (signed: SignedCall) => Promise<Pick<PasskeyOutcome, 'transaction' | 'unrecorded'>>,
): Promise<PreparedTask> {
  const prepared = await prepareCall(call, tools);
  return {
    words,
    challenge: prepared.challenge,
    async complete(answer) {
      if (answer.kind !== 'signed') throw malformed('the task needs a signature');
      const finished = await finish(await prepared.sign(answer.keyId, answer));
      return { wallet: call.wallet, ...finished };
    },
  };
}

function contract(text: string): ContractAddress {
  const address = parseContractAddress(text);
  if (address === undefined) throw malformed(`${text} is not a contract (C…)`);
  return address;
}

function ed25519(text: string): SignerKey {
  const publicKey = decodeStrKey('account', text);
  if (publicKey === undefined) throw malformed(`${text} is not an account (G…)`);
  return { kind: 'ed25519', publicKey };
}

function malformed(detail: string): PasskeyError {
  return new PasskeyError('malformed_request', detail);
}

/**
 * Deploys a smart account whose only owner is a passkey; the sponsor pays. The same passkey always
 * has the same account.
 * @param spki the passkey's public key as browsers return it (DER)
 * @throws PasskeyError `malformed_request`, PolicyError
 */
async function createAccount(
  keyId: Uint8Array,
  spki: Uint8Array,
  tools: SponsorTools,
  run: (operation: xdr.Operation) => Promise<string>,
): Promise<{ readonly wallet: ContractAddress; readonly transaction: string }> {
  const { wasm, hash } = accountModule();
  const signer = toSigner({
    key: { kind: 'secp256r1', keyId },
    publicKey: publicKeyOf(spki),
    grants: null,
    expirationLedger: null,
    storage: 'Persistent',
  });
  const { entries } = await reaching(() => tools.network.getLedgerEntries([moduleKey(hash)]));
  if (entries[0] === undefined) await run(uploadOperation(wasm));
  const preimage = accountPreimage(tools.signer.address, keyId);
  const transaction = await run(creationOperation(preimage, hash, [signer]));
  return { wallet: contractIdOf(preimage), transaction };
}

/** 65 bytes, uncompressed (SEC 1). */
function publicKeyOf(spki: Uint8Array): Uint8Array {
  try {
    const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
    const { crv, x = '', y = '' } = key.export({ format: 'jwk' });
    if (crv === 'P-256') {
      return Buffer.concat([
        Buffer.of(4),
        Buffer.from(x, 'base64url'),
        Buffer.from(y, 'base64url'),
      ]);
    }
  } catch {
    // Reported below.
  }
  throw new PasskeyError('malformed_request', 'the passkey does not have a P-256 key');
}
