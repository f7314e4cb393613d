import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { makeFolder, openEd25519Key } from '../../machine/index.ts';
import {
  type AccountAddress,
  type ContractAddress,
  decodeStrKey,
  encodeStrKey,
  STELLAR_TESTNET,
  USDC_CONTRACT,
} from '../../protocol/index.ts';
import { toSigner } from '../../protocol/smartAccount/index.ts';
import { readBalance } from '../../sdk/agents/index.ts';
import { connectRpc, fetchTransport } from '../../sdk/exact/index.ts';
import {
  agentSigner,
  createPolicyClient,
  createWalletAgents,
  type SubmitCall,
  type WalletAgents,
} from '../../sdk/index.ts';
import { systemClock } from '../../server/index.ts';
import { connectNetwork } from '../../server/network/index.ts';
import {
  accountModule,
  accountPreimage,
  contractIdOf,
  createOwnTransactions,
  creationOperation,
  moduleKey,
  uploadOperation,
} from '../../server/policies/index.ts';
import type { Signer } from '../../server/settlement/index.ts';
import { CliError } from '../cliError.ts';
import { giveXlm, setUsdc } from '../code/localAccounts.ts';
import { runningService } from '../serviceFile.ts';

const OWNER_FILE = 'owner.key';
const USDC = USDC_CONTRACT as ContractAddress;

/** A smart account on the embedded network whose owner is a key in the data folder. */
export interface LocalWallet {
  readonly address: ContractAddress;
  readonly agents: WalletAgents;
  /** Gives the account test USDC, in atomic units. */
  fund(amount: bigint): Promise<void>;
}

/** Smart accounts of a data folder. Each agent has its own, so its deployment limit and its balance are separate too. */
export interface LocalWallets {
  /** Returns the future address of the account for an agent's key. */
  addressFor(agent: Uint8Array): ContractAddress;
  create(agent: Uint8Array): Promise<void>;
  open(address: ContractAddress): LocalWallet;
  close(): void;
}

/** @throws CliError if the embedded network or its facilitator is not running */
export async function openLocalWallets(dataFolder: string): Promise<LocalWallets> {
  const service = await runningService(dataFolder);
  if (!service?.network.embedded || !service.facilitatorUrl) {
    throw new CliError(
      'failed',
      'Budgets need the embedded network and the facilitator. Start both with `svc-x402 dev`.',
    );
  }
  const { network: addresses, facilitatorUrl } = service;
  const { rpcUrl } = addresses;
  const owner = await openOwner(dataFolder);
  const network = connectNetwork({ url: rpcUrl, certificateAuthority: null }, systemClock);
  const run = createOwnTransactions(owner, network, systemClock);
  const submit: SubmitCall = ({ func, auth }) => run(callOperation(func, auth));
  const rpc = connectRpc(rpcUrl, fetchTransport(fetch));
  return {
    addressFor: (agent) => contractIdOf(accountPreimage(owner.address, agent)),
    async create(agent) {
      await giveXlm(addresses, owner.address);
      const { wasm, hash } = accountModule();
      const { entries } = await network.getLedgerEntries([moduleKey(hash)]);
      if (entries[0] === undefined) await run(uploadOperation(wasm));
      const signer = toSigner({
        key: { kind: 'ed25519', publicKey: owner.publicKey },
        grants: null,
        expirationLedger: null,
        storage: 'Persistent',
      });
      await run(creationOperation(accountPreimage(owner.address, agent), hash, [signer]));
    },
    open: (address) => ({
      address,
      agents: createWalletAgents({
        wallet: address,
        owner: agentSigner(address, owner.publicKey, (hash) => new Uint8Array(owner.sign(hash))),
        client: createPolicyClient({ apiUrl: facilitatorUrl, network: STELLAR_TESTNET }),
        rpcUrl,
        submit,
      }),
      async fund(amount) {
        const held = await readBalance(address, USDC, rpc);
        await setUsdc(addresses, address, held + amount);
      },
    }),
    close: () => network.close(),
  };
}

/** A call signed by the owner, as an operation of the account that pays for it. */
function callOperation(func: string, auth: readonly string[]): xdr.Operation {
  return new xdr.Operation({
    sourceAccount: null,
    body: xdr.OperationBody.invokeHostFunction(
      new xdr.InvokeHostFunctionOp({
        hostFunction: xdr.HostFunction.fromXdr(func, 'base64'),
        auth: auth.map((entry) => xdr.SorobanAuthorizationEntry.fromXdr(entry, 'base64')),
      }),
    ),
  });
}

/** The owner's key, created on first use in a file that only its owner can read. */
async function openOwner(dataFolder: string): Promise<Signer> {
  const path = join(dataFolder, 'agents', OWNER_FILE);
  makeFolder(dirname(path));
  const made = encodeStrKey('secretSeed', randomBytes(32));
  // If two commands run at once, one creates the key and both read it.
  await writeFile(path, `${made}\n`, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
  const seed = decodeStrKey('secretSeed', (await readFile(path, 'utf8')).trim());
  if (seed === undefined) {
    throw new CliError(
      'failed',
      `${path} does not contain a secret key. Move the file away to create a new key.`,
    );
  }
  const { publicKey, sign } = openEd25519Key(seed);
  return { address: encodeStrKey('account', publicKey) as AccountAddress, publicKey, sign };
}
