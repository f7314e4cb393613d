import type { GenesisAccounts, LedgerUrls } from '../../network/src/index.ts';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { createChannels, deriveChannelSecrets, systemClock } from '../../src/server/index.ts';
import { connectNetwork } from '../../src/server/network/index.ts';
import { openAccount, openPayer, openSeller } from '../../test/support/accounts.ts';
import { freshNonce, freshPayment } from '../../test/support/freshPayment.ts';
import type { LocalNetwork } from '../../test/support/localStack.ts';
import type { TestKey } from '../../test/support/payer.ts';
import { JsonRpcClient } from '../jsonRpcClient.ts';
import { bundled } from './bundled.ts';
import { Child } from './childProcess.ts';

/** The accounts that sign for a facilitator. */
export interface Signing {
  readonly sponsorSecret: string;
  readonly channelSecrets: readonly string[];
}

/** One network, buyers with funds, a seller, and accounts for each facilitator. */
export interface World {
  readonly urls: LedgerUrls;
  readonly process: Child<unknown>;
  readonly local: LocalNetwork;
  readonly seller: TestKey;
  readonly buyers: readonly TestKey[];
  /** Signs `count` payments, the buyers taking turns. */
  payments(count: number, buyers: number): Promise<FacilitatorRequest[]>;
  /** Opens a sponsor and 50 channels. */
  openSigning(name: string): Promise<Signing>;
  closeBy(mode: { mode: 'demand' } | { mode: 'interval'; milliseconds: number }): Promise<void>;
  latestLedger(): Promise<number>;
  close(): Promise<void>;
}

const MAX_BUYERS = 50;

export async function openWorld(): Promise<World> {
  const child = await Child.start<{ urls: LedgerUrls; accounts: GenesisAccounts }>([
    await bundled('networkProcess.ts'),
  ]);
  const { urls, accounts } = child.told;
  const network = connectNetwork({ url: urls.rpc, certificateAuthority: null }, systemClock);
  const local = {
    ledger: { accounts },
    rpcUrl: urls.rpc,
    friendbotUrl: urls.friendbot,
    network,
  } as unknown as LocalNetwork;
  const control = new JsonRpcClient(urls.control);
  const seller = await openSeller(local);
  const buyers: TestKey[] = [];
  for (let i = 0; i < MAX_BUYERS; i++) buyers.push(await openPayer(local, 10_000_000n));

  /** Like the canonical client: the envelope contains the resources from the simulation of the signed payment. */
  async function sign(buyer: TestKey, expirationLedger: number): Promise<FacilitatorRequest> {
    const parts = {
      amount: 100n,
      requirements: { amount: '100', maxTimeoutSeconds: 3_600 },
      entry: { expirationLedger, nonce: freshNonce() },
    };
    const draft = await freshPayment(local, buyer, seller, parts);
    const envelope = String(draft.paymentPayload.payload.transaction);
    const simulation = await network.simulate(envelope);
    if (simulation.status !== 'success') throw new Error(simulation.error);
    const { transactionData: resources, minResourceFee } = simulation;
    const fee = Number(minResourceFee) + 100;
    return freshPayment(local, buyer, seller, { ...parts, resources, fee });
  }

  return {
    urls,
    process: child,
    ...{ local, seller, buyers },
    async payments(count, of) {
      const expirationLedger = (await network.getLatestLedger()) + 700;
      const signed: FacilitatorRequest[] = [];
      for (let index = 0; index < count; index++) {
        const buyer = buyers[index % of] ?? seller;
        signed.push(await sign(buyer, expirationLedger));
      }
      return signed;
    },
    async openSigning(name) {
      const sponsor = await openAccount(local, `sponsor of ${name}`);
      const seed = `channels of ${name}, for the bench`;
      const secrets = { sponsorSecret: sponsor.secret, channels: { seed } };
      await createChannels({ rpcUrl: urls.rpc, ...secrets });
      return { sponsorSecret: sponsor.secret, channelSecrets: deriveChannelSecrets(seed) };
    },
    async closeBy(mode) {
      await control.call('svc_setCloseMode', mode);
    },
    latestLedger: () => network.getLatestLedger(),
    async close() {
      control.close();
      network.close();
      await child.stop();
    },
  };
}
