import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { JsonRpcClient } from '../../../bench/jsonRpcClient.ts';
import { freePort, MeasuredProcess } from '../../../bench/measuredProcess.ts';
import type { LocalChain, RunningChain, SendAndWait } from './localChain.ts';

const peers = fileURLToPath(new URL('../../../bench/peers/', import.meta.url));
const anvil = join(peers, 'node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil');
const hardhat = join(peers, 'node_modules/hardhat/internal/cli/bootstrap.js');

/** The local chains that Ethereum developers use, as published on npm. */
export const evmChains = (): readonly LocalChain[] => [
  {
    name: 'anvil 1.7.1',
    start: existsSync(anvil)
      ? () => start(anvil, (port) => ['--port', port, '--silent', '--accounts', '20'])
      : undefined,
  },
  {
    name: 'hardhat 2.29.1 (EDR)',
    start: existsSync(hardhat)
      ? () => start(process.execPath, (port) => [hardhat, 'node', '--port', port])
      : undefined,
  },
];

async function start(
  command: string,
  args: (port: string) => readonly string[],
): Promise<RunningChain> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = new MeasuredProcess(command, args(String(port)), peers);
  const client = new JsonRpcClient(url);
  const firstAnswer = await server.firstAnswer(() => client.call('eth_blockNumber', []));
  const memoryAtFirst = server.memory();
  const accounts = (await client.call('eth_accounts', [])) as string[];
  client.close();
  return {
    firstAnswer,
    memoryAtFirst,
    senders: accounts.length,
    requests: [
      { name: 'simulate', prepare: async (index) => caller(url, accounts, index) },
      { name: 'payment', prepare: async (index) => payer(url, accounts, index) },
    ],
    memory: () => server.memory(),
    stop: () => server.stop(),
  };
}

/** Simulates a transfer of 1 wei. */
function caller(url: string, accounts: readonly string[], index: number): SendAndWait {
  const client = new JsonRpcClient(url);
  const call = { from: accounts[index], to: accounts[19 - index], value: '0x1' };
  return async () => void (await client.call('eth_call', [call, 'latest']));
}

/** Sends 1 wei from an unlocked account; the server signs and mines immediately. */
function payer(url: string, accounts: readonly string[], index: number): SendAndWait {
  const client = new JsonRpcClient(url);
  const [from, to] = [accounts[index], accounts[19 - index]];
  return async () => {
    const hash = await client.call('eth_sendTransaction', [{ from, to, value: '0x1' }]);
    let receipt: unknown = null;
    while (receipt === null) receipt = await client.call('eth_getTransactionReceipt', [hash]);
  };
}
