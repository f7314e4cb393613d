import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { xdr } from '@stellar/stellar-sdk';
import { type ContractAddress, STELLAR_TESTNET } from '../../src/protocol/index.ts';
import { readScAddress, toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import {
  createPolicyClient,
  createWalletAgents,
  GatewayError,
  PolicyMismatchError,
  passkeySigner,
  type SubmitCall,
} from '../../src/sdk/index.ts';
import { AgentWallet } from '../policies/support/agentWallet.ts';
import { Chain } from '../policies/support/chain.ts';
import { MODULES } from '../policies/support/contractModules.ts';
import { testKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;
const DAY = 86_400n;
const BUDGET = 2_500_000n;

/** Users of the SDK whom a gateway lies to: a wallet with money, and the wallet of somebody else. */
export interface Scene {
  readonly world: World;
  readonly chain: Chain;
  readonly wallet: AgentWallet;
  readonly other: AgentWallet;
}

/** What a gateway answers instead of the truth. */
export interface Lie {
  /** The contract that it claims to have deployed. */
  readonly deploys?: (scene: Scene) => string | Promise<string>;
  /** Changes any other answer: the path, and what the honest gateway answered. */
  readonly answers?: (path: string, honest: Record<string, unknown>, scene: Scene) => unknown;
  /** Answers by itself: a status, headers and bytes. */
  readonly raw?: (
    path: string,
    scene: Scene,
  ) => { status: number; headers?: Record<string, string>; body: string } | undefined;
  /** Changes what the server says that answers for the ledger, while the gateway lies. */
  readonly ledger?: (method: string, answer: unknown, scene: Scene) => unknown;
}

const addressOf = (value: string) => xdr.ScVal.scvAddress(toScAddress(value as ContractAddress));

/** Deploys a limit as a thief does: by itself, with any terms. */
export function limitOf(
  { chain }: Scene,
  wallet: string,
  amount = BUDGET,
  window = DAY,
  asset: string = USDC,
): Promise<string> {
  const none = xdr.ScVal.scvVoid();
  const terms = [
    addressOf(wallet),
    addressOf(asset),
    none,
    toI128(amount),
    xdr.ScVal.scvU64(window),
  ];
  return chain.deploy(MODULES.spendingLimit, [
    ...terms,
    none,
    none,
    none,
    xdr.ScVal.scvBool(false),
  ]);
}

const scenes = new WeakMap<World, Promise<Scene>>();

async function openScene(world: World): Promise<Scene> {
  const chain = new Chain(world.local, world.stranger);
  const wallet = await AgentWallet.open(chain, 'lied to');
  const other = await AgentWallet.open(chain, 'somebody else');
  return { world, chain, wallet, other };
}

export function sceneOf(world: World): Promise<Scene> {
  const open = scenes.get(world) ?? openScene(world);
  scenes.set(world, open);
  return open;
}

/** A gateway on a port of its own, which asks the real one and then lies. */
async function startLiar(scene: Scene, lie: Lie) {
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const raw = lie.raw?.(path, scene);
    if (raw !== undefined) {
      response.writeHead(raw.status, { 'content-type': 'application/json', ...raw.headers });
      response.end(raw.body);
      return;
    }
    const isDeployment = path.endsWith('/deploy-instance');
    const id = decodeURIComponent(path.split('/')[2] ?? '');
    const answer =
      isDeployment && lie.deploys !== undefined
        ? { id, contractId: await lie.deploys(scene) }
        : await scene.world.other.post(path, Buffer.concat(parts).toString()).then(({ text }) => {
            const read = JSON.parse(text) as Record<string, unknown>;
            return lie.answers?.(path, read, scene) ?? read;
          });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Reads the ledger through a server that lies about one method. */
function lyingFetch({ ledger }: Lie, scene: Scene): typeof globalThis.fetch {
  if (ledger === undefined) return fetch;
  return async (url, init) => {
    const response = await fetch(url, init);
    const [, method = ''] = /"method":"(\w+)"/.exec(`${init?.body}`) ?? [];
    return Response.json(ledger(method, await response.json(), scene));
  };
}

/** What the owner's device and relayer were made to do. */
class Hands {
  readonly called: string[] = [];
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Submits as a relayer does, and notes what was signed with everything below it. */
  readonly submit: SubmitCall = async ({ func, auth }) => {
    // A signer's key is part of what is called.
    const thief = Buffer.from(testKey('thief').publicKey);
    if (Buffer.from(func, 'base64').includes(thief)) this.called.push('the thief’s key');
    const entries = auth.map((text) => xdr.SorobanAuthorizationEntry.fromXdr(text, 'base64'));
    for (const { rootInvocation } of entries) this.#note(rootInvocation);
    const call = xdr.HostFunction.fromXdr(func, 'base64');
    if (call.type !== 'hostFunctionTypeInvokeContract') throw new Error(call.type);
    const { contractAddress, functionName, args } = call.invokeContract;
    const contract = readScAddress(contractAddress) ?? '';
    return this.#scene.chain.present(contract, functionName.toString(), [...args], entries);
  };

  #note({ function: called, subInvocations }: xdr.SorobanAuthorizedInvocation): void {
    if (called.type === 'sorobanAuthorizedFunctionTypeContractFn') {
      this.called.push(called.contractFn.functionName.toString());
    } else {
      this.called.push(called.type);
    }
    for (const below of subInvocations) this.#note(below);
  }
}

/** Has a user grant an agent a budget by the SDK, with a gateway that lies, and returns what came of it. */
export async function grantThrough(world: World, lie: Lie): Promise<string> {
  const scene = await sceneOf(world);
  const { wallet, chain } = scene;
  const liar = await startLiar(scene, lie);
  const hands = new Hands(scene);
  const { prompts } = wallet.owner;
  const agents = createWalletAgents({
    wallet: wallet.id,
    owner: passkeySigner(wallet.id, wallet.owner.keyId, (hash) => wallet.owner.assert(hash)),
    client: createPolicyClient({ apiUrl: liar.url, network: STELLAR_TESTNET }),
    rpcUrl: world.local.rpcUrl,
    submit: hands.submit,
    fetch: lyingFetch(lie, scene),
    sleep: () => new Promise((resolve) => setTimeout(resolve, 20)),
  });
  const before = JSON.stringify(await chain.ask(wallet.id, 'policies'));
  try {
    await agents.grant({
      budget: '0.25',
      window: 'day',
      assets: [USDC],
      expires: new Date(Date.now() + DAY_MS),
    });
    return `granted, signed ${hands.called.join(', ')}`;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    world.see(words);
    if (/[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\n]/u.test(words)) {
      return 'invisible text or a line end in the error';
    }
    const after = JSON.stringify(await chain.ask(wallet.id, 'policies'));
    const isTouched =
      before !== after || hands.called.length > 0 || wallet.owner.prompts !== prompts;
    if (isTouched) return `refused, and yet signed ${hands.called.join(', ')}`;
    if (error instanceof PolicyMismatchError) return 'policy_mismatch, nothing signed';
    if (error instanceof GatewayError) return `${error.code} ${error.reason}, nothing signed`;
    return words;
  } finally {
    liar.close();
  }
}
