import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeState } from '../../network/src/persistence/index.ts';
import { Instance } from '../helpers/facilitators/instance.ts';
import {
  openHolders,
  openTestNetwork,
  type TestNetwork,
  UPTO_CONTRACT,
} from '../helpers/facilitators/openTestNetwork.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../store/privatePostgres.ts';
import type { TestKey } from '../support/payer.ts';

const BUYERS = 60;
const SELLERS = 4;
/** What each buyer is given: 1,000 USDC in atomic units. */
export const BUYERS_USDC = 10_000_000_000n;

/** An embedded network, PostgreSQL, and facilitators, each in processes of their own. */
export interface SoakWorld
  extends Pick<TestNetwork, 'rpcUrl' | 'horizonUrl' | 'local' | 'firstLedger' | 'control'> {
  readonly networkPid: number;
  readonly databaseUrl: string;
  readonly postgres: PrivatePostgres;
  readonly instances: readonly Instance[];
  readonly ttlMs: number;
  readonly buyers: readonly TestKey[];
  readonly sellers: readonly TestKey[];
  /** All XLM there is by the ledger's header, and all that accounts and the fee pool hold. */
  coins(): Promise<{ readonly total: bigint; readonly held: bigint }>;
  close(): Promise<void>;
}

const named = (role: string, count: number) =>
  Array.from({ length: count }, (_, index) => `soak ${role} ${index}`);

/**
 * Starts everything.
 * @param count facilitators
 * @param ttlMs how long one of them counts as alive after a sign of life
 */
export async function openSoakWorld(count: number, ttlMs: number): Promise<SoakWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-soak-'));
  const network = await openTestNetwork({ folder, name: 'the soak' });
  const postgres = await startPrivatePostgres();
  const databaseUrl = await postgres.createDatabase();
  const environment = {
    ...network.environment,
    HORIZON_URL: network.horizonUrl,
    DATABASE_URL: databaseUrl,
    UPTO_CONTRACT_ID: UPTO_CONTRACT,
    INSTANCE_TTL_MS: `${ttlMs}`,
  };
  const buyers = await openHolders(network, named('buyer', BUYERS), BUYERS_USDC);
  const sellers = await openHolders(network, named('seller', SELLERS), 0n);
  const instances = Array.from(
    { length: count },
    (_, index) => new Instance(`i${index}`, folder, environment),
  );
  // The first one brings the schema up to date.
  for (const instance of instances) await instance.start();

  const { rpcUrl, horizonUrl, local, firstLedger, control } = network;
  return {
    rpcUrl,
    horizonUrl,
    networkPid: network.pid,
    databaseUrl,
    postgres,
    instances,
    ttlMs,
    buyers,
    sellers,
    local,
    firstLedger,
    control,
    async coins() {
      const { state } = (await control('svc_dumpState')) as { state: string };
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
      await Promise.all(instances.map((instance) => instance.stop()));
      await network.close();
      await postgres.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
