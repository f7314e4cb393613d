import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JsonRpcClient } from '../../bench/jsonRpcClient.ts';
import { decodeState } from '../../src/ledger/persistence/index.ts';
import { USDC_ISSUER } from '../../src/protocol/index.ts';
import { systemClock } from '../../src/server/index.ts';
import { connectNetwork } from '../../src/server/network/index.ts';
import { CliProcess } from '../cli/cliProcess.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../store/privatePostgres.ts';
import { openAccount } from '../support/accounts.ts';
import type { LocalNetwork } from '../support/localStack.ts';
import { type TestKey, testKey } from '../support/payer.ts';
import { Instance } from './instance.ts';

/** The settlement contract of `upto` that every embedded network with testnet's passphrase has. */
const UPTO_CONTRACT = 'CDPETPFJXCBHIMGQERUKCWER6ISYW565DQQT3GER7VSLOUHG5IMGUVZ6';
const CHANNEL_SEED = 'fifty channels of the soak';
const BUYERS = 60;
const SELLERS = 4;
/** What each buyer is given: 1,000 USDC in atomic units. */
export const BUYERS_USDC = 10_000_000_000n;
const LOOK_MS = 200;

/** An embedded network, PostgreSQL, and facilitators, each in processes of their own. */
export interface SoakWorld {
  readonly rpcUrl: string;
  readonly horizonUrl: string;
  readonly networkPid: number;
  readonly databaseUrl: string;
  readonly postgres: PrivatePostgres;
  readonly instances: readonly Instance[];
  readonly ttlMs: number;
  readonly buyers: readonly TestKey[];
  readonly sellers: readonly TestKey[];
  /**
   * What payments are signed for. Its latest ledger is one that was seen a moment ago: faults of the
   * network are for facilitators, not for buyers that the harness plays.
   */
  readonly local: LocalNetwork;
  readonly firstLedger: number;
  control(method: string, params?: object): Promise<unknown>;
  /** All XLM there is by the ledger's header, and all that accounts and the fee pool hold. */
  coins(): Promise<{ readonly total: bigint; readonly held: bigint }>;
  close(): Promise<void>;
}

/**
 * Starts everything.
 * @param count facilitators
 * @param ttlMs how long one of them counts as alive after a sign of life
 */
export async function openSoakWorld(count: number, ttlMs: number): Promise<SoakWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-soak-'));
  const ledger = new CliProcess(
    ['ledger', '--in-memory', '--json', '--port', '0', '--seed', 'soak'],
    { SVC_X402_DATA_DIR: join(folder, 'network') },
  );
  const { network: service } = (await ledger.event('serving')) as unknown as {
    network: { rpcUrl: string; horizonUrl: string; friendbotUrl: string };
  };
  const { rpcUrl, horizonUrl, friendbotUrl } = service;
  const controlUrl = new URL('/control', rpcUrl).href;
  const rpc = new JsonRpcClient(controlUrl);
  const network = connectNetwork({ url: rpcUrl, certificateAuthority: null }, systemClock);
  const postgres = await startPrivatePostgres();
  const databaseUrl = await postgres.createDatabase();

  let latest = await network.getLatestLedger();
  const look = setInterval(() => {
    // `getHealth` is none of the calls that are spoilt.
    latestLedger(rpcUrl).then(
      (ledgerNow) => {
        latest = Math.max(latest, ledgerNow);
      },
      () => undefined,
    );
  }, LOOK_MS);
  const local = {
    ledger: { accounts: { usdcIssuer: USDC_ISSUER }, contracts: { upto: UPTO_CONTRACT } },
    rpcUrl,
    friendbotUrl,
    network: { getLatestLedger: async () => latest },
  } as unknown as LocalNetwork;

  const sponsor = await openAccount(local, 'sponsor of the soak');
  const environment = {
    STELLAR_RPC_URL: rpcUrl,
    HORIZON_URL: horizonUrl,
    SPONSOR_SECRET: sponsor.secret,
    CHANNEL_SEED,
    DATABASE_URL: databaseUrl,
    UPTO_CONTRACT_ID: UPTO_CONTRACT,
    INSTANCE_TTL_MS: `${ttlMs}`,
    // One machine plays all sellers.
    RATE_LIMIT_PER_MINUTE: '0',
    SVC_X402_DATA_DIR: join(folder, 'channels'),
  };
  const made = await new CliProcess(['facilitator', 'create-channels', '--json'], environment)
    .ended;
  if (made.code !== 0) throw new Error(`create-channels: ${made.stderr}${made.stdout}`);

  const hold = async (key: TestKey, usdc: bigint): Promise<TestKey> => {
    const { address: account } = key;
    await rpc.call('svc_setBalance', { account, asset: 'native', amount: '100' });
    const amount = (usdc / 10_000_000n).toString();
    await rpc.call('svc_setBalance', { account, asset: `USDC:${USDC_ISSUER}`, amount });
    return key;
  };
  const buyers: TestKey[] = [];
  for (let i = 0; i < BUYERS; i++) buyers.push(await hold(testKey(`soak buyer ${i}`), BUYERS_USDC));
  const sellers: TestKey[] = [];
  for (let i = 0; i < SELLERS; i++) sellers.push(await hold(testKey(`soak seller ${i}`), 0n));

  const instances = Array.from(
    { length: count },
    (_, index) => new Instance(`i${index}`, folder, environment),
  );
  // The first one brings the schema up to date.
  for (const instance of instances) await instance.start();

  return {
    rpcUrl,
    horizonUrl,
    networkPid: ledger.pid,
    databaseUrl,
    postgres,
    instances,
    ttlMs,
    buyers,
    sellers,
    local,
    firstLedger: await network.getLatestLedger(),
    control: (method, params = {}) => rpc.call(method, params),
    async coins() {
      const { state } = (await rpc.call('svc_dumpState', {})) as { state: string };
      const decoded = decodeState(Buffer.from(state, 'base64'));
      if (decoded === undefined) throw new Error('the dump of the state is damaged');
      let held = decoded.header.feePool;
      for (const { id } of decoded.entries()) {
        const entry = decoded.peek(id);
        if (entry?.data.type === 'account') held += entry.data.account.balance;
      }
      return { total: decoded.header.totalCoins, held };
    },
    async close() {
      clearInterval(look);
      await Promise.all(instances.map((instance) => instance.stop()));
      network.close();
      rpc.close();
      await ledger.stop('SIGTERM');
      await postgres.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function latestLedger(rpcUrl: string): Promise<number> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' }),
  });
  const { result } = (await response.json()) as { result: { latestLedger: number } };
  return result.latestLedger;
}
