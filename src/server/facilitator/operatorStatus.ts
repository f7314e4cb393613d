import type { OperatorStatus, Readiness } from '../../protocol/wire/index.ts';
import { type Clock, within } from '../clock.ts';
import type { Logger } from '../logger.ts';
import { RpcError, type StellarNetwork } from '../network/index.ts';
import {
  type ChannelPool,
  countInstances,
  type Membership,
  openSettlements,
  type Sponsor,
} from '../settlement/index.ts';
import type { Database } from '../store/index.ts';

/** Settlements that a status lists. */
const MAX_LISTED = 50;
/** How long a status waits for the store, and for the RPC server. */
const ANSWER_MS = 3_000;

/** What a status is read from. */
export interface StatusParts {
  readonly database: Database;
  readonly network: StellarNetwork;
  readonly clock: Clock;
  readonly membership: Membership;
  readonly channels: ChannelPool;
  readonly sponsor: Sponsor;
  readonly floor: bigint;
  readonly startedAt: number;
  readonly here: number;
  readonly draining: boolean;
  readonly readiness: Readiness;
}

/** Resolves to `undefined` if the store does not answer in time. */
async function unlessSilent<T>(work: Promise<T>, clock: Clock): Promise<T | undefined> {
  const answer = work.catch(() => undefined);
  return within(answer, ANSWER_MS, clock);
}

/** Calls the RPC server, so that the status shows whether it answers now. */
async function probe(network: StellarNetwork, clock: Clock) {
  const startedAt = clock.elapsed();
  const call = network.getLatestLedger().then(
    (latestLedger) => ({ latestLedger, failure: null }),
    (error: unknown) => ({
      latestLedger: null,
      failure: error instanceof RpcError ? error.code : 'failed',
    }),
  );
  const silent = { latestLedger: null, failure: 'timeout' };
  const answer = (await within(call, ANSWER_MS, clock)) ?? silent;
  return { ...answer, ms: Math.round(clock.elapsed() - startedAt) };
}

const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString();

/** Returns what the operator of an instance needs to know, without `rpc`'s counts of earlier calls. */
export async function operatorStatus(
  parts: StatusParts,
): Promise<
  Omit<OperatorStatus, 'rpc'> & { readonly rpc: Omit<OperatorStatus['rpc'], 'calls' | 'failed'> }
> {
  const { database, network, clock, membership, channels, sponsor } = parts;
  const [open, instances, rpc] = await Promise.all([
    unlessSilent(openSettlements(database, MAX_LISTED), clock),
    unlessSilent(countInstances(database), clock),
    probe(network, clock),
  ]);
  return {
    startedAt: isoTime(parts.startedAt),
    readiness: parts.readiness,
    draining: parts.draining,
    settlements: {
      here: parts.here,
      open: open?.count ?? null,
      listed: (open?.oldest ?? []).map(({ instance, presentedAt, ...settlement }) => ({
        ...settlement,
        presentedAt: isoTime(presentedAt),
        here: instance === membership.id,
      })),
    },
    channels: { total: channels.size, free: channels.free },
    sponsor: {
      address: sponsor.signer.address,
      balance: sponsor.balance?.toString() ?? null,
      reserved: sponsor.reserved.toString(),
      floor: parts.floor.toString(),
    },
    rpc,
    lease: {
      instance: membership.id,
      held: membership.holdsLease,
      shared: database.dialect === 'postgres',
      instances: instances ?? null,
    },
  };
}

/**
 * Whether the operator has announced the end of this instance. While it has, `/ready` is 503, and payments are accepted, because a
 * proxy notices only at its next probe. It outlives a facilitator, which is opened again after a reset of the network.
 */
export class Draining {
  readonly #logger: Logger;
  #isOn = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  set(on: boolean): void {
    if (this.#isOn !== on) this.#logger.info({ draining: on }, 'the operator drains this instance');
    this.#isOn = on;
  }
}

/** Adds to a readiness that the operator has announced the end of this instance. */
export function drained(readiness: Readiness, { isOn }: Draining): Readiness {
  if (!isOn) return readiness;
  const message =
    'The operator drains this instance: send payments to another one. It still answers what arrives.';
  return { status: 'not_ready', reasons: [...readiness.reasons, { code: 'draining', message }] };
}
