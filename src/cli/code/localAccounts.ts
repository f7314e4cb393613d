import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { dataFolderPath, openEd25519Key, type ServiceFile } from '../../machine/index.ts';
import {
  decodeStrKey,
  encodeStrKey,
  formatDecimalAmount,
  type Payable,
  parseDecimalAmount,
  payable,
  USDC_ISSUER,
} from '../../protocol/index.ts';
import { CliError } from '../cliError.ts';
import { createReport } from '../report.ts';
import { anyService } from '../serviceFile.ts';

const ANSWER_WITHIN_MS = 10_000;

/** Where the service of this machine usually keeps its file. */
const usualFolder = () => dataFolderPath(process.env, homedir());

/** `svc-x402 fund ADDRESS`: XLM from friendbot and USDC, with a trustline, on the embedded network. */
export async function fundAccount(
  address: string,
  options: { readonly usdc: string; readonly json?: boolean },
): Promise<void> {
  if (!decodeStrKey('account', address)) {
    throw new CliError(
      'usage',
      `${address} is not a Stellar account. Use an address that begins with G.`,
    );
  }
  const amount = parseDecimalAmount(options.usdc);
  if (amount === undefined || amount <= 0n) {
    throw new CliError(
      'usage',
      `${options.usdc} is not an amount. Use a USDC amount such as 10 or 0.5.`,
    );
  }
  const held = await giveUsdc(await embeddedNetwork(usualFolder()), address, amount, usualFolder());
  const report = createReport(options.json ?? false, (text) => process.stdout.write(text));
  report.say(`${address} now holds ${formatDecimalAmount(held)} USDC.`, 'funded', {
    address,
    usdc: formatDecimalAmount(held),
  });
}

interface NewAccount {
  readonly address: string;
  readonly secret: string;
}

/** Creates an account that can receive USDC on the embedded network. @param folder data folder of its service */
export function createAccount(folder = usualFolder()): Promise<NewAccount> {
  return createBuyer(0n, folder);
}

/** Creates an account on the embedded network with an amount of USDC, in atomic units. */
export async function createBuyer(usdc: bigint, folder = usualFolder()): Promise<NewAccount> {
  const network = await embeddedNetwork(folder);
  const seed = randomBytes(32);
  const address = encodeStrKey('account', openEd25519Key(seed).publicKey);
  await giveUsdc(network, address, usdc, folder);
  return { address, secret: encodeStrKey('secretSeed', seed) };
}

/** Looks up an address on the network that runs on this machine; `unknown` if none answers. */
export async function payableHere(address: string, folder = usualFolder()): Promise<Payable> {
  const service = await anyService(folder);
  return payable(address, service?.network.horizonUrl ?? undefined, (url) => ask(url));
}

/**
 * Gives an address what it needs to be paid on the embedded network: an account and a trustline. Its balance stays.
 * @returns whether something was missing; nothing happens on another network
 */
export async function prepareRecipient(address: string, folder = usualFolder()): Promise<boolean> {
  const service = await anyService(folder);
  if (!service?.network.embedded || !decodeStrKey('account', address)) return false;
  const { state } = await payableHere(address, folder);
  if (state !== 'no_account' && state !== 'no_trustline') return false;
  await giveUsdc(service.network, address, 0n, folder);
  return true;
}

async function embeddedNetwork(folder: string): Promise<ServiceFile['network']> {
  const service = await anyService(folder);
  if (!service?.network.embedded) {
    throw new CliError(
      'failed',
      'The embedded network is not running. Start it with `svc-x402 dev`, or fund the account on its own network.',
    );
  }
  return service.network;
}

async function giveUsdc(
  network: ServiceFile['network'],
  address: string,
  amount: bigint,
  folder: string,
): Promise<bigint> {
  const before = await payableHere(address, folder);
  if (before.state === 'no_account') await giveXlm(network, address);
  const held = (before.state === 'payable' ? before.usdc : 0n) + amount;
  await setUsdc(network, address, held);
  return held;
}

/** Creates an account with XLM from friendbot; one that has XLM may stay unchanged. */
export async function giveXlm(
  { friendbotUrl }: ServiceFile['network'],
  address: string,
): Promise<void> {
  if (friendbotUrl) await ask(`${friendbotUrl}?addr=${address}`);
}

/** Tops up an account's or a contract's USDC balance to this amount, in atomic units. */
export async function setUsdc(
  { rpcUrl }: ServiceFile['network'],
  address: string,
  held: bigint,
): Promise<void> {
  // Served at the same origin as the RPC.
  const response = await ask(`${new URL('control', rpcUrl)}`, {
    jsonrpc: '2.0',
    id: 1,
    method: 'svc_setBalance',
    params: { account: address, asset: `USDC:${USDC_ISSUER}`, amount: formatDecimalAmount(held) },
  });
  const { error } = (await response.json()) as { readonly error?: { readonly message?: string } };
  if (error)
    throw new CliError('failed', `The network refused: ${error.message ?? 'no reason given'}`);
}

function ask(url: string, body?: object): Promise<Response> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  return body === undefined
    ? fetch(url, { signal })
    : fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      });
}
