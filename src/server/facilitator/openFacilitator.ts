import { randomUUID } from 'node:crypto';
import type {
  FacilitatorRequest,
  Health,
  Readiness,
  SupportedResponse,
} from '../../protocol/wire/index.ts';
import { assertTestnet } from '../assertTestnet.ts';
import type { Clock } from '../clock.ts';
import { within } from '../clock.ts';
import type { FacilitatorConfig } from '../config.ts';
import type { Logger } from '../logger.ts';
import type { StellarNetwork } from '../network/index.ts';
import {
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
import {
  askLedger,
  findSettlement,
  type SettlementName,
  type SettlementStatus,
} from './findSettlement.ts';
import { health } from './health.ts';
import { LedgerWatch } from './ledgerWatch.ts';
import {
  createBoundRecipients,
  createPayerBackOff,
  createSpendControls,
  FAILURES_LAST_MS,
  NO_FEES_ELSEWHERE,
  PayerFunds,
  type SpendRefusal,
  shareFunds,
  UnprovenPayers,
} from './limits/index.ts';
import { LocalSettlements } from './localSettlements.ts';
import type { IdentifiedNetwork } from './networkIdentity.ts';
import { openAccounts } from './openAccounts.ts';
import { Draining, drained, operatorStatus } from './operatorStatus.ts';
import {
  type FacilitatorCatalog,
  type KnownFate,
  type PaymentStep,
  type Refusal,
  type SettleOutcome,
  settledWithoutCatalog,
  type VerifyOutcome,
} from './payment/index.ts';
import { readiness } from './readiness.ts';
import { type Maintenance, maintainSettlements } from './recovery/maintainSettlements.ts';
import { reportGaps } from './recovery/reportGaps.ts';
import { resumeSettlements } from './recovery/resumeSettlements.ts';
import { chooseScheme, exactScheme, requireUptoContract, uptoScheme } from './schemes/index.ts';
import { type Caller, PAYMENT_IDENTIFIER, settlePayment } from './settle/index.ts';
import { StallWatch } from './stallWatch.ts';
import { StellarAssets } from './stellarAssets.ts';
import { supported } from './supported.ts';
import { FateSource, inTruth } from './truth/index.ts';
import { verifyPayment } from './verify/verifyPayment.ts';

/** The facilitator without HTTP. */
export interface Facilitator {
  /** @param log receives the log lines about this request */
  verify(request: FacilitatorRequest, log?: Logger): Promise<VerifyOutcome>;
  /** @param caller receives the answer; without one, the answer counts as delivered once it is returned */
  settle(request: FacilitatorRequest, log?: Logger, caller?: Caller): Promise<SettleOutcome>;
  /** Returns a settlement's outcome, by its hash or by the authorization. Rejects with StoreError. */
  findSettlement(by: SettlementName): Promise<SettlementStatus | undefined>;
  /** Returns what the ledger has of a payment that this service has no record of. */
  askLedger(by: SettlementName): Promise<KnownFate>;
  /** Completes the refusal of a request that is not a payment, from the authorization in its payload. */
  lookUp(rejection: Refusal, envelope: unknown, log?: Logger): Promise<Refusal>;
  supported(): SupportedResponse;
  health(): Health;
  /** Whether payments are accepted, and if not, why. */
  readiness(): Readiness;
  /** What the operator of this instance needs to know, except for earlier calls to the RPC server. */
  status(): ReturnType<typeof operatorStatus>;
  /** How many requests and recovered settlements are in flight here. */
  readonly inFlight: number;
  /** Stops looking for decisions, and resolves when everything in flight has been answered. */
  stop(): Promise<void>;
}

/** The services that a facilitator uses. */
export interface FacilitatorServices {
  readonly network: StellarNetwork;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly database: Database;
  readonly catalog?: FacilitatorCatalog;
  readonly onSpendRefusal?: (reason: SpendRefusal, enforced: boolean) => void;
  /** Fees in 24 hours for clients that have a budget of their own, in stroops. */
  readonly budgets?: ReadonlyMap<string, bigint>;
  /** The accounts of the configuration, if they are already open. */
  readonly signers?: Signers;
  /** Returns unique ids for settlements and instances. */
  readonly newId?: () => string;
  /**
   * The present network. With it, the ledger is watched, and `onReset` is called once when the network has started again: then
   * this facilitator settles nothing more, and another one has to be opened.
   */
  readonly identified?: IdentifiedNetwork;
  readonly onReset?: () => void;
  readonly draining?: Draining;
}

/** How long a stopping service waits for a store that does not answer. */
const SILENT_STORE_MS = 3_000;
const LEASE_LOOK_MS = 200;

/**
 * Waits for the service's remaining work, unless the database has not answered for so long that the lease has expired. Other
 * instances or the next start then adopt that work.
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

/** Returns the payment schemes: `upto` only if its contract is configured and on the network. */
async function openSchemes(
  config: FacilitatorConfig,
  signers: Signers,
  network: StellarNetwork,
  clock: Clock,
): Promise<FacilitatorParts['schemes']> {
  const rules = { own: signers.addresses, ...config };
  const contract = await requireUptoContract(config.uptoContractId, network);
  return [
    exactScheme(network, rules, clock),
    ...(contract === undefined ? [] : [uptoScheme(network, { ...rules, contract }, clock)]),
  ];
}

async function verify(
  request: FacilitatorRequest,
  parts: FacilitatorParts,
): Promise<VerifyOutcome> {
  return verifyInTruth(await verifyPayment(request, parts), request, parts);
}

async function settle(
  request: FacilitatorRequest,
  caller: Caller | undefined,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  return settleInTruth(await settlePayment(request, caller, parts), request, parts);
}

/** Number of heartbeats within the time that an instance counts as alive. */
const BEATS = 4;
/** Longest time between two heartbeats, so that `/ready` shows within ten seconds that the database does not answer. */
const MAX_BEAT_MS = 2_500;

/**
 * Prepares the facilitator: checks that the network is testnet (or the embedded one, which has its
 * passphrase), opens the accounts, reads their sequence numbers, and resumes what an earlier run left
 * unfinished.
 * @throws ConfigError if network, accounts or secrets do not match; RpcError without a response
 */
export async function openFacilitator(
  config: FacilitatorConfig,
  services: FacilitatorServices,
): Promise<Facilitator> {
  const { network, clock, logger, database, catalog } = services;
  const { onSpendRefusal = () => undefined, newId = randomUUID, identified } = services;
  const networkId = identified?.id ?? 1;
  const signers = services.signers ?? openSigners(config);
  assertTestnet((await network.getNetwork()).passphrase);
  const accounts = await openAccounts(signers, network, logger);
  const membership = await joinInstances(database, clock, newId, config.instanceTtlMs);
  const leased =
    database.dialect === 'postgres'
      ? await openLeasedChannelPool({ signers: signers.channels, database, membership, clock })
      : undefined;
  const channels = leased ?? createChannelPool(accounts.channels, clock);
  const schemes = await openSchemes(config, signers, network, clock);
  const bound = createBoundRecipients();
  const backOff = createPayerBackOff(clock);
  const records = openPayerRecords(database);
  const shared = leased === undefined ? undefined : shareFunds(records, membership, backOff, clock);
  const extensions = [...(catalog === undefined ? [] : ['bazaar']), PAYMENT_IDENTIFIER];
  const stalls = leased === undefined ? undefined : new StallWatch(clock);
  const work = new Work();
  let maintenance: Maintenance | undefined;
  let isReset = false;

  const parts: FacilitatorParts = {
    schemes,
    network,
    fates: new FateSource(network, clock),
    assets: new StellarAssets(network),
    clock,
    logger,
    channels,
    networkId,
    journal: openJournal(database, clock, networkId),
    membership,
    newId,
    local: new LocalSettlements(),
    stalls,
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
      isBound: (payTo) => bound.has(payTo),
      onRefusal: onSpendRefusal,
      feesElsewhere: () => maintenance?.feesElsewhere() ?? NO_FEES_ELSEWHERE,
      budgets: services.budgets ?? new Map(),
    }),
    payerFunds: new PayerFunds(clock, shared),
    unproven: new UnprovenPayers(clock),
    backOff,
    onSettled: bound.watching(catalog?.onSettled ?? settledWithoutCatalog),
    limits: config,
    running: () => work.running,
    wasReset: () => isReset,
  };

  if (database.frozen === undefined) {
    for (const failures of await records.failures(clock.now() - FAILURES_LAST_MS)) {
      backOff.learn(failures, failures);
    }
    await reportGaps(accounts.channels, parts.journal, logger);
    await resumeSettlements(parts, work.track);
  }
  maintenance = maintainSettlements(
    parts,
    { leased, records },
    Math.min(config.instanceTtlMs / BEATS, leased === undefined ? Infinity : MAX_BEAT_MS),
    work.track,
  );
  const watch =
    identified &&
    new LedgerWatch({
      ...{ network, sponsor: parts.sponsor, signers, clock, logger, known: identified.known },
      onReset: () => {
        // Nothing of the old network can be settled, and nothing on its way can be decided.
        isReset = true;
        work.running = false;
        services.onReset?.();
      },
    });
  watch?.start();

  const draining = services.draining ?? new Draining(logger);
  const startedAt = clock.now();
  const ready = () =>
    drained(
      readiness({
        database,
        membership,
        sponsor: parts.sponsor,
        floor: config.sponsorFloorStroops,
        worstFee: config.maxTxFeeStroops,
        running: work.running || isReset,
        ledger: watch?.reasons ?? [],
      }),
      draining,
    );
  return {
    verify: (request, log = logger) => work.track(verify(request, { ...parts, logger: log })),
    settle: (request, log = logger, caller = undefined) =>
      work.track(settle(request, caller, { ...parts, logger: log })),
    findSettlement: (by) => work.track(findSettlement(by, parts)),
    askLedger: (by) => work.track(askLedger(by, parts)),
    lookUp: (rejection, envelope, log = logger) =>
      work.track(inTruth(rejection, envelope, () => false, { ...parts, logger: log })),
    supported: () => supported(parts.schemes, extensions, signers.addresses),
    readiness: ready,
    status: () =>
      operatorStatus({
        database,
        network,
        clock,
        membership,
        channels,
        sponsor: parts.sponsor,
        floor: config.sponsorFloorStroops,
        startedAt,
        here: work.inFlight,
        draining: draining.isOn,
        readiness: ready(),
      }),
    get inFlight() {
      return work.inFlight;
    },
    health: () => health(channels, parts.sponsor, catalog?.status()),
    async stop() {
      work.running = false;
      maintenance?.stop();
      watch?.stop();
      stalls?.stop();
      const finish = async (): Promise<void> => {
        await work.ended();
        await parts.journal.flushed().catch(() => undefined);
        await leased?.settled();
        await membership.leave().catch(() => undefined);
      };
      await unlessStoreIsSilent(finish(), membership, clock);
    },
  };
}

function isRequired(request: FacilitatorRequest, step: PaymentStep, parts: FacilitatorParts) {
  return () => chooseScheme(parts.schemes, request).prepare(request, step).ok;
}

/** Completes a verdict with what is known of the payment's money. */
export async function verifyInTruth(
  outcome: VerifyOutcome,
  request: FacilitatorRequest,
  parts: FacilitatorParts,
): Promise<VerifyOutcome> {
  if (outcome.status === 'valid') return outcome;
  const { transaction } = request.paymentPayload.payload;
  const required = isRequired(request, 'verify', parts);
  const rejection = await inTruth(outcome.rejection, transaction, required, parts);
  return { status: 'invalid', rejection };
}

/**
 * Completes the answer of a settlement with what is known of the payment's money. If another transaction paid, the answer is a
 * refusal that names it: a success would let a second seller, or a second request, be served for one payment.
 */
export async function settleInTruth(
  outcome: SettleOutcome,
  request: FacilitatorRequest,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  if (outcome.status === 'settled' || outcome.status === 'pending') return outcome;
  const { transaction } = request.paymentPayload.payload;
  const required = isRequired(request, 'settle', parts);
  const rejection = await inTruth(outcome.rejection, transaction, required, parts);
  return rejection.code === 'authorization_replayed'
    ? { status: 'rejected', rejection }
    : { ...outcome, rejection };
}

/** Work in flight, and whether more is accepted. */
export class Work {
  /** Aborts when the service stops and accepts no more work. */
  running = true;
  readonly #inFlight = new Set<Promise<unknown>>();

  /** Counts work as in flight until it is done. */
  readonly track = <T>(work: Promise<T>): Promise<T> => {
    this.#inFlight.add(work);
    const done = (): boolean => this.#inFlight.delete(work);
    work.then(done, done);
    return work;
  };

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Resolves when nothing is in flight, including work that began meanwhile. */
  async ended(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight);
  }
}
