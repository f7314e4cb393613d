/** One facilitator of a fault run, in a process of its own that is killed sooner or later. */
import { RpcError, startFacilitator } from '../../src/server/index.ts';
import { openStore } from '../../src/server/store/index.ts';
import { hurriedClock } from '../support/hurriedClock.ts';
import { killingDatabase } from './killingDatabase.ts';
import { type KillPoint, WRITES } from './steps.ts';

/** What the harness sends to its instances. */
export interface InstanceOrders {
  readonly rpcUrl: string;
  readonly databaseUrl: string | null;
  readonly dataFolder: string | null;
  readonly sponsorSecret: string;
  readonly channelSecrets: readonly string[];
  readonly instanceTtlMs: number;
  readonly killAt: (KillPoint & { readonly count: number }) | null;
}

/** Waits as the service does, ten times as fast where it waits for long. */
const hurried = hurriedClock(1_000, (milliseconds) => milliseconds / 10);

async function main(orders: InstanceOrders): Promise<void> {
  const { killAt, databaseUrl, dataFolder } = orders;
  const opened = await openStore({ databaseUrl, dataFolder });
  const database =
    killAt?.kind === 'write'
      ? killingDatabase(opened, WRITES[killAt.write], killAt.moment, killAt.count)
      : opened;
  const facilitator = await startFacilitator({
    rpcUrl: orders.rpcUrl,
    sponsorSecret: orders.sponsorSecret,
    channels: { secrets: orders.channelSecrets },
    instanceTtlMs: orders.instanceTtlMs,
    port: 0,
    rateLimitPerMinute: 0,
    confirmationMs: 8_000,
    database,
    clock: hurried,
    // The resource that is paid for has no address: its ownership is not what is tried here.
    ownershipFetch: { resolve: async () => [] },
  });
  process.send?.({ url: facilitator.url });
  process.on('message', () => {
    void facilitator.close().then(() => process.exit(0));
  });
}

process.once('message', (orders) => {
  main(orders as InstanceOrders).catch((error: unknown) => {
    // A start on a ledger that does not answer is refused; the harness starts it again.
    if (!(error instanceof RpcError)) process.stderr.write(`${error}\n`);
    process.exit(1);
  });
});
process.once('disconnect', () => process.exit(1));
