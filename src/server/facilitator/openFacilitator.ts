import { randomUUID } from 'node:crypto';
import type {
  FacilitatorRequest,
  Health,
  Readiness,
  SupportedResponse,
} from '../../protocol/wire/index.ts';
import { assertTestnet } from '../assertTestnet.ts';
import type { Clock } from '../clock.ts';
import type { FacilitatorConfig } from '../config.ts';
import { ConfigError } from '../configError.ts';
import type { Logger } from '../logger.ts';
import type { StellarNetwork } from '../network/index.ts';
import {
  accountKey,
  createChannelPool,
  createSponsor,
  joinInstances,
  type Membership,
  openJournal,
  openLeasedChannelPool,
  openPayerRecords,
  openSigners,
  type Signers,
} from '../settlement/index.ts';
import type { Database } from '../store/index.ts';
import type { FacilitatorParts } from './facilitatorParts.ts';
import { findSettlement, type SettlementName, type SettlementStatus } from './findSettlement.ts';
import { health } from './health.ts';
import {
  createBoundRecipients,
  createPayerBackOff,
  createSpendControls,
  FAILURES_LAST_MS,
  PayerFunds,
  type SpendRefusal,
  shareFunds,
} from './limits/index.ts';
import { LocalSettlements } from './localSettlements.ts';
import type { SettleOutcome, VerifyOutcome } from './payment/index.ts';
import { type FacilitatorCatalog, settledWithoutCatalog } from './payment/index.ts';
import { readiness } from './readiness.ts';
import { type Maintenance, maintainSettlements, resumeSettlements } from './recovery/index.ts';
import { exactScheme, requireUptoContract, uptoScheme } from './schemes/index.ts';
import { type Caller, PAYMENT_IDENTIFIER, settlePayment } from './settle/index.ts';
import { supported } from './supported.ts';
import { verifyPayment } from './verify/index.ts';
import { within } from './within.ts';

/** The facilitator without HTTP. */
export interface Facilitator {
  /** @param log lines about this request go there */
  verify(request: FacilitatorRequest, log?: Logger): Promise<VerifyOutcome>;
  /** @param caller whoever gets the answer; without one it counts as delivered once it is returned */
  settle(request: FacilitatorRequest, log?: Logger, caller?: Caller): Promise<SettleOutcome>;
  /** What became of a settlement, by its hash or by the authorization. Rejects with StoreError. */
  findSettlement(by: SettlementName): Promise<SettlementStatus | undefined>;
  supported(): SupportedResponse;
  health(): Health;
  /** Whether payments are taken, and why not. */
  readiness(): Readiness;
  /** Takes no new search for a decision; resolves when what is in flight has been answered. */
  stop(): Promise<void>;
}

/** What a facilitator works with. */
export interface FacilitatorServices {
  readonly network: StellarNetwork;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly database: Database;
  readonly catalog?: FacilitatorCatalog;
  readonly onSpendRefusal?: (reason: SpendRefusal, enforced: boolean) => void;
  /** The accounts of the configuration, where they are open already. */
  readonly signers?: Signers;
  /** Names settlements and instances; no name may come twice. */
  readonly newId?: () => string;
}

/** The accounts as the ledger has them now: sequence numbers of the channels, sponsor's existence. */
async function openAccounts(signers: Signers, network: StellarNetwork) {
  const accounts = [signers.sponsor, ...signers.channels];
  const { entries } = await network.getLedgerEntries(accounts.map(accountKey));
  const [sponsorEntry, ...channelEntries] = entries;
  if (sponsorEntry === undefined) {
    throw new ConfigError([
      `The sponsor ${signers.sponsor.address} does not exist on the network: fund it first.`,
    ]);
  }
  const missing = channelEntries.filter((entry) => entry === undefined).length;
  if (missing > 0) {
    throw new ConfigError([
      `${missing} of the ${signers.channels.length} channel accounts do not exist on the network: ` +
        'create them with `svc-x402 facilitator create-channels`.',
    ]);
  }
  const channels = signers.channels.map((signer, index) => {
    const entry = channelEntries[index];
    return {
      signer,
      sequence: entry?.type === 'account' ? entry.account.seqNum : undefined,
      asOfLedger: 0,
    };
  });
  const balance = sponsorEntry.type === 'account' ? sponsorEntry.account.balance : undefined;
  return { channels, balance };
}

/** How long a service that stops waits for a store that does not answer. */
const SILENT_STORE_MS = 3_000;
const LEASE_LOOK_MS = 200;

/**
 * Waits for the last work of a service, but not for a database that has been silent for so long that
 * the lease is over: what is left there is taken over by the other instances, or at the next start.
 */
async function unlessStoreIsSilent(
  work: Promise<void>,
  membership: Membership,
  clock: Clock,
): Promise<void> {
  const done = work.then(() => true);
  for (let silentFor = 0; silentFor < SILENT_STORE_MS; silentFor += LEASE_LOOK_MS) {
    if (membership.holdsLease) silentFor = 0;
    if (await within(done, LEASE_LOOK_MS, clock)) return;
  }
}

/** Signs of life in the time that an instance counts as alive after one. */
const BEATS = 4;

/**
 * Makes the facilitator ready: checks that the network is testnet (or the embedded one, which has
 * its passphrase), opens the accounts and learns their sequence numbers, and takes up what an earlier
 * run has left unfinished.
 * @throws ConfigError when network, accounts or secrets do not fit; RpcError without an answer
 */
export async function openFacilitator(
  config: FacilitatorConfig,
  services: FacilitatorServices,
): Promise<Facilitator> {
  const { network, clock, logger, database, catalog } = services;
  const { onSpendRefusal = () => undefined, newId = randomUUID } = services;
  const signers = services.signers ?? openSigners(config);
  assertTestnet((await network.getNetwork()).passphrase);
  const accounts = await openAccounts(signers, network);
  const membership = await joinInstances(database, clock, newId, config.instanceTtlMs);
  const leased =
    database.dialect === 'postgres'
      ? await openLeasedChannelPool({ signers: signers.channels, database, membership, clock })
      : undefined;
  const channels = leased ?? createChannelPool(accounts.channels, clock);
  const rules = { own: signers.addresses, ...config };
  const contract = await requireUptoContract(config.uptoContractId, network);
  const schemes = [
    exactScheme(network, rules, clock),
    ...(contract === undefined ? [] : [uptoScheme(network, { ...rules, contract }, clock)]),
  ];
  const bound = createBoundRecipients();
  const backOff = createPayerBackOff(clock);
  const records = openPayerRecords(database);
  const shared = leased === undefined ? undefined : shareFunds(records, membership, backOff, clock);
  const inFlight = new Set<Promise<unknown>>();
  let running = true;
  let maintenance: Maintenance | undefined;

  const parts: FacilitatorParts = {
    schemes,
    network,
    clock,
    logger,
    channels,
    journal: openJournal(database, clock),
    membership,
    newId,
    local: new LocalSettlements(),
    sponsor: createSponsor({
      signer: signers.sponsor,
      balance: accounts.balance,
      floor: config.sponsorFloorStroops,
      network,
      clock,
      reservedElsewhere: () => maintenance?.reservedElsewhere() ?? 0n,
    }),
    spendControls: createSpendControls({
      config: config.spendControls,
      clock,
      isBound: ({ payTo }) => bound.has(payTo),
      onRefusal: onSpendRefusal,
      feesElsewhere: () => maintenance?.feesElsewhere() ?? 0n,
    }),
    payerFunds: new PayerFunds(clock, shared),
    backOff,
    onSettled: bound.watching(catalog?.onSettled ?? settledWithoutCatalog),
    limits: config,
    running: () => running,
  };

  function track<T>(work: Promise<T>): Promise<T> {
    inFlight.add(work);
    const done = (): boolean => inFlight.delete(work);
    work.then(done, done);
    return work;
  }

  if (database.frozen === undefined) {
    for (const { payer, ...failures } of await records.failures(clock.now() - FAILURES_LAST_MS)) {
      backOff.learn(payer, failures);
    }
    await resumeSettlements(parts, track);
  }
  maintenance = maintainSettlements(
    parts,
    { leased, records },
    config.instanceTtlMs / BEATS,
    track,
  );

  return {
    verify: (request, log = logger) => track(verifyPayment(request, { ...parts, logger: log })),
    settle: (request, log = logger, caller = undefined) =>
      track(settlePayment(request, caller, { ...parts, logger: log })),
    findSettlement: (by) => findSettlement(by, parts.journal),
    supported: () =>
      supported(
        parts.schemes,
        [...(catalog === undefined ? [] : ['bazaar']), PAYMENT_IDENTIFIER],
        signers.addresses,
      ),
    readiness: () =>
      readiness({
        database,
        membership,
        sponsor: parts.sponsor,
        floor: config.sponsorFloorStroops,
        running,
      }),
    health: () => health(channels, parts.sponsor, catalog?.status()),
    async stop() {
      running = false;
      maintenance?.stop();
      const finish = async (): Promise<void> => {
        while (inFlight.size > 0) await Promise.allSettled(inFlight);
        await parts.journal.flushed().catch(() => undefined);
        await leased?.settled();
        await membership.leave().catch(() => undefined);
      };
      await unlessStoreIsSilent(finish(), membership, clock);
    },
  };
}
