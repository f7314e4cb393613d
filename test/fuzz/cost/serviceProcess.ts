// The service with a network of its own, a second network for control, and the MCP server, in a process that says what it costs.
// Started by costService.ts.

import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { talkativeContract, testContract } from '../../../network/test/helpers/testContract.ts';
import { catalogClient } from '../../../src/mcp/catalogClient.ts';
import { discoveryServer } from '../../../src/mcp/discoveryServer.ts';
import { toScAddress } from '../../../src/protocol/stellar/index.ts';
import { threadCpuMs } from '../../../src/server/catalog/declaration/threadCpu.ts';
import { type Database, openStore } from '../../../src/server/store/index.ts';
import { AgentWallet } from '../../policies/support/agentWallet.ts';
import { Chain } from '../../policies/support/chain.ts';
import {
  buyUsdc,
  openAccount,
  openPayer,
  openSeller,
  submit,
  trustUsdc,
} from '../../support/accounts.ts';
import { openTestCatalog } from '../../support/catalog.ts';
import { type LocalNetwork, startLocalNetwork, startLocalStack } from '../../support/localStack.ts';
import { testKey } from '../../support/payer.ts';
import { paymentEnvelope } from '../../support/payment.ts';
import { type Figures, PAYERS, type Question, type Reply, type Started } from './figures.ts';

const LISTINGS = 500;
const SELLERS = 50;
const PROTOCOL = 27;
const OPERATOR_TOKEN = 'operator of the service';
const MONEY = 2_000_000_000n;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Fills a store with listings whose texts are as long as texts may be. */
async function fill(database: Database): Promise<void> {
  const catalog = await openTestCatalog({ database });
  for (let n = 0; n < LISTINGS; n++) {
    await catalog.settle({
      url: `https://api${n % SELLERS}.seller.dev/v${n}/quote`,
      payTo: testKey(`seller ${n % SELLERS}`).address,
      payer: `payer ${n}`,
      resource: {
        serviceName: `Service number ${n}`,
        description: `Number ${n}: weather, prices, maps and news. `.repeat(6),
        tags: Array.from({ length: 10 }, (_, tag) => `tag ${n} ${tag}`),
      },
    });
  }
  await catalog.catalog.idle();
  await catalog.stop();
}

const database = await openStore({ databaseUrl: null, dataFolder: null });
await fill(database);
const stack = await startLocalStack({
  database,
  operatorToken: OPERATOR_TOKEN,
  ownershipFetch: { resolve: async () => [] },
});

async function openControl(): Promise<LocalNetwork> {
  const network = await startLocalNetwork({ seed: 'control' });
  await openSeller(network);
  return network;
}
let control = await openControl();

const tables = await database.all<{ name: string }>(
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
);

async function countRows(): Promise<number> {
  let rows = 0;
  for (const { name } of tables) {
    const [counted] = await database.all<{ n: number }>(`SELECT COUNT(*) AS n FROM "${name}"`);
    rows += counted?.n ?? 0;
  }
  return rows;
}

async function figures({ rows, collect }: { rows: boolean; collect: boolean }): Promise<Figures> {
  // Work that an answer leaves for right afterwards counts as part of the answer.
  await setImmediate();
  await setImmediate();
  if (collect) {
    // Buffers are given back only after what refers to them was collected.
    collectGarbage();
    await setImmediate();
    collectGarbage();
  }
  const counted = rows ? await countRows() : -1;
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    cpuMs: (user + system) / 1_000,
    // The system says what this thread alone had; elsewhere how long it was at work has to do.
    loopMs: threadCpuMs() ?? performance.eventLoopUtilization().active,
    rssBytes: rss,
    heapBytes: heapUsed + external,
    sockets: process.getActiveResourcesInfo().filter((name) => name.includes('Socket')).length,
    rows: counted,
  };
}

const mcpServer = discoveryServer(
  '0',
  catalogClient(async () => stack.facilitator.url, fetch),
);
const mcp = new Client({ name: 'costs', version: '0' });
const [agentSide, serverSide] = InMemoryTransport.createLinkedPair();
await mcpServer.connect(serverSide);
await mcp.connect(agentSide);

async function reply(question: Question): Promise<Reply> {
  switch (question.ask) {
    case 'figures':
      return { figures: await figures(question) };
    case 'mcp': {
      const { tool, input } = question;
      try {
        const request = { name: tool, arguments: input as Record<string, unknown> };
        const answer = await mcp.callTool(request);
        return { bytes: JSON.stringify(answer).length, refused: answer.isError === true };
      } catch {
        return { bytes: 0, refused: true };
      }
    }
    case 'control':
      await control.close();
      control = await openControl();
      return { control: control.ledger.urls?.http ?? '' };
  }
}

/** Calls of a contract that writes very many or very large events. */
async function openLoud(chain: Chain): Promise<Pick<Started, 'loud' | 'loudTransaction'>> {
  const wasm = talkativeContract(PROTOCOL);
  const asset = await chain.deploy({ wasm, hash: createHash('sha256').update(wasm).digest() });
  const self = xdr.ScVal.scvAddress(toScAddress(asset));
  const list = (...items: xdr.ScVal[]): xdr.ScVal => xdr.ScVal.scvVec(items);
  const number = xdr.ScVal.scvU32;
  const large = xdr.ScVal.scvBytes(new Uint8Array(60_000));
  const long = list(...Array.from({ length: 200 }, (_, at) => number(at)));
  const nothing = [self, xdr.ScVal.scvSymbol('nothing')];
  const calls: readonly (readonly [string, xdr.ScVal[]])[] = [
    ['repeat', [...nothing, list(large)]],
    ['repeat_fail', [...nothing, list(large)]],
    ['repeat_fail', [...nothing, list(long, long)]],
    ['shout', [list(), number(1), number(900)]],
    ['shout', [list(), number(1), number(9_000)]],
    ['shout', [list(), large, number(500)]],
    ['shout', [list(), long, number(1_000)]],
  ];
  const { hash } = await chain.call(asset, 'repeat', [...nothing, list(large)]);
  return {
    loud: calls.map(([functionName, args]) =>
      paymentEnvelope({ asset, functionName, args, entries: [] }),
    ),
    loudTransaction: hash,
  };
}

async function start(): Promise<Started> {
  for (const name of PAYERS) {
    const key = await openAccount(stack, name);
    await submit(stack, key, [trustUsdc(stack), buyUsdc(stack, key, MONEY)]);
  }
  const payer = await openPayer(stack);
  const seller = await openSeller(stack);
  const chain = new Chain(stack, payer);
  const wallet = await AgentWallet.open(chain, 'owner');
  const wasm = testContract(PROTOCOL);
  const contract = await chain.deploy({ wasm, hash: createHash('sha256').update(wasm).digest() });
  const loud = await openLoud(chain);
  const generated = await fetch(`${stack.facilitator.url}/policies/generate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      version: '1',
      type: 'spending_limit',
      owners: [wallet.id],
      spendingLimits: { dailyXlm: '10' },
    }),
  });
  const { id } = (await generated.json()) as { id: string };
  const page = await fetch(`${stack.ledger.urls?.http}/transactions?order=desc&limit=1`);
  const { _embedded } = (await page.json()) as {
    _embedded: { records: { hash: string; envelope_xdr: string }[] };
  };
  const [latest] = _embedded.records;
  return {
    facilitator: stack.facilitator.url,
    ledger: stack.ledger.urls?.http ?? '',
    control: control.ledger.urls?.http ?? '',
    operatorToken: OPERATOR_TOKEN,
    payer: payer.address,
    seller: seller.address,
    wallet: wallet.id,
    policy: id,
    transaction: latest?.hash ?? '',
    envelope: latest?.envelope_xdr ?? '',
    entryKey: xdr.LedgerKey.account(
      new xdr.LedgerKeyAccount({
        accountId: xdr.PublicKey.publicKeyTypeEd25519(payer.publicKey),
      }),
    ).toXdr('base64'),
    ...loud,
    spin: paymentEnvelope({ asset: contract, functionName: 'spin', args: [], entries: [] }),
  };
}

const started = await start();
process.on('message', (message: { id: number; question: Question }) => {
  const { id, question } = message;
  void reply(question).then((answer) => process.send?.({ id, answer }));
});
// Ends when the process that started it is gone.
process.once('disconnect', () => process.exit(0));
process.send?.({ id: 0, answer: started });
