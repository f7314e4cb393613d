import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { JsonRpcClient } from '../../../bench/jsonRpcClient.ts';
import { freePort, MeasuredProcess } from '../../../bench/measuredProcess.ts';
import type { LocalChain, RunningChain, SendAndWait } from './localChain.ts';
import { StellarPayer } from './stellarPayer.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const cli = join(root, 'dist', 'cli.js');
/** The number of a facilitator's channel accounts. */
const SENDERS = 50;

/** Our own network, as started by the command line. */
export const stellarChains: readonly LocalChain[] = [
  { name: 'svc-x402 ledger', start: () => start([]) },
  { name: 'svc-x402 ledger --in-memory', start: () => start(['--in-memory']) },
];

async function start(options: readonly string[]): Promise<RunningChain> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'svc-x402-bench-'));
  const args = [cli, 'ledger', '--port', String(port), '--data-dir', folder, ...options];
  const server = new MeasuredProcess(process.execPath, args, root);
  const client = new JsonRpcClient(`${url}/rpc`);
  const firstAnswer = await server.firstAnswer(() => client.call('getLatestLedger', null));
  client.close();
  const memoryAtFirst = server.memory();

  const sender = async (): Promise<StellarPayer> => {
    const own = new JsonRpcClient(`${url}/rpc`);
    return StellarPayer.open(
      (method, params) => own.call(method, params),
      async (address) => {
        const answer = await fetch(`${url}/friendbot?addr=${address}`);
        if (!answer.ok) throw new Error(`friendbot: ${await answer.text()}`);
      },
    );
  };
  const senders = await Promise.all(Array.from({ length: SENDERS }, sender));
  const payer = (index: number): StellarPayer => senders[index] ?? fail(index);

  return {
    firstAnswer,
    memoryAtFirst,
    senders: SENDERS,
    requests: [
      {
        name: 'simulate',
        prepare: async (index) => {
          const transaction = payer(index).unsignedTransfer(payer(SENDERS - 1 - index).address);
          return async () => void (await payer(index).simulate(transaction));
        },
      },
      {
        name: 'payment',
        prepare: async (index, count) =>
          inOrder(payer(index), payer(index).payments(payer(SENDERS - 1 - index).address, count)),
      },
      {
        name: 'contract call',
        prepare: async (index, count) =>
          inOrder(
            payer(index),
            await payer(index).transfers(payer(SENDERS - 1 - index).address, count),
          ),
      },
    ],
    memory: () => server.memory(),
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Sends the next of these each time. */
function inOrder(payer: StellarPayer, transactions: readonly string[]): SendAndWait {
  const left = transactions.values();
  return async () => {
    const next = left.next();
    if (next.done) throw new Error('More was sent than was signed.');
    await payer.send(next.value);
  };
}

function fail(index: number): never {
  throw new Error(`There is no sender ${index}.`);
}
