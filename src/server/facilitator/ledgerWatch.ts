import { NETWORK_RESET_WORDS } from '../../protocol/index.ts';
import {
  balanceOfEntry,
  encodedAccountKey,
  sequenceOfEntry,
} from '../../protocol/stellar/index.ts';
import type { Readiness } from '../../protocol/wire/index.ts';
import { type Clock, within } from '../clock.ts';
import type { Logger } from '../logger.ts';
import { RpcError, type StellarNetwork } from '../network/index.ts';
import type { Signers, Sponsor } from '../settlement/index.ts';
import { compareNetwork, type KnownNetwork } from './networkIdentity.ts';

/** `/ready` changes within ten seconds: two probes that fail, the pause before them, and their time limits. */
const EVERY_MS = 3_000;
const PROBE_MS = 2_500;
const AGAIN_MS = 250;
/** Probes in a row that must fail, or show a network that is far behind. */
const PROBES = 2;
/** A limit that delays calls by more than this lets no payment settle in time. */
const LIMITED_MS = 5_000;

type Reasons = Readiness['reasons'];

export interface LedgerWatchParts {
  readonly network: StellarNetwork;
  readonly sponsor: Sponsor;
  readonly signers: Signers;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The network that the service was opened on; `undefined` if it cannot be recognized. */
  readonly known: KnownNetwork | undefined;
  /** Called once, when the network has started again. */
  readonly onReset: () => void;
}

/** What the last probe saw. */
interface Seen {
  readonly latest: number;
  readonly oldestClosedAt: string | undefined;
  readonly sequences: ReadonlyMap<string, bigint>;
}

/** Looks at the ledger every few seconds, so that the service knows whether a payment would settle before one is presented. */
export class LedgerWatch {
  readonly #parts: LedgerWatchParts;
  readonly #keys: ReadonlyMap<string, string>;
  #reasons: Reasons = [];
  #failures = 0;
  #doubts = 0;
  #behind = 0;
  #seen: Seen | undefined;
  #isReset = false;
  #stopped = false;
  #cancel = (): void => {};

  constructor(parts: LedgerWatchParts) {
    this.#parts = parts;
    const { sponsor, channels } = parts.signers;
    this.#keys = new Map(
      [sponsor, ...channels].map((signer) => [signer.address, encodedAccountKey(signer)]),
    );
  }

  /** Why a payment would not settle on this ledger. Reads only memory. */
  get reasons(): Reasons {
    const { limitedForMs } = this.#parts.network;
    if (limitedForMs <= LIMITED_MS) return this.#reasons;
    const seconds = Math.ceil(limitedForMs / 1_000);
    const message = `The RPC server's limit of calls is used up for ${seconds} s.`;
    return [...this.#reasons, { code: 'rpc_limited', message }];
  }

  start(): void {
    this.#after(EVERY_MS);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #after(milliseconds: number): void {
    if (this.#stopped || this.#isReset) return;
    this.#cancel = this.#parts.clock.after(milliseconds, () => {
      void this.#look().then((isSure) => this.#after(isSure ? EVERY_MS : AGAIN_MS));
    });
  }

  /** @returns false if another probe has to confirm this one */
  async #look(): Promise<boolean> {
    const { clock } = this.#parts;
    try {
      const reasons = await within(this.#probe(), PROBE_MS, clock);
      if (reasons === undefined) return this.#failed('no answer in time');
      this.#failures = 0;
      if (!this.#confirms(reasons)) return false;
      this.#become(reasons);
      return this.#behind === 0;
    } catch (error) {
      if (error instanceof RpcError) return this.#failed(error.message);
      throw error;
    }
  }

  /** Whether a probe may change what is known: what only one answer shows, such as a missing account, is asked again. */
  #confirms(reasons: Reasons): boolean {
    const isGood = reasons.length === 0 || this.#isReset || this.#reasons.length > 0;
    this.#doubts = isGood ? 0 : this.#doubts + 1;
    return isGood || this.#doubts >= PROBES;
  }

  #failed(why: string): boolean {
    this.#failures += 1;
    if (this.#failures < PROBES) return false;
    this.#become([{ code: 'rpc_unavailable', message: `The RPC server does not answer: ${why}.` }]);
    return true;
  }

  #become(reasons: Reasons): void {
    const codes = (all: Reasons): string => all.map(({ code }) => code).join(' ');
    if (!this.#stopped && codes(reasons) !== codes(this.#reasons)) {
      const { logger } = this.#parts;
      if (reasons.length === 0) logger.info({}, 'the ledger can be used again');
      else logger.error({ reasons: codes(reasons) }, reasons.map((one) => one.message).join(' '));
    }
    this.#reasons = reasons;
  }

  /** Rejects with RpcError. */
  async #probe(): Promise<Reasons> {
    const { network, sponsor, signers } = this.#parts;
    const asked = network.glanceAt([...this.#keys.values()]);
    const entryOf = (found: Awaited<typeof asked>['found'], address: string) =>
      found.get(this.#keys.get(address) ?? '')?.xdr;
    const balance = sponsor.refreshFrom(async () => {
      const entry = entryOf((await asked).found, sponsor.signer.address);
      if (entry !== undefined) return balanceOfEntry(entry) ?? 0n;
      // One answer without the sponsor does not show that it has nothing.
      return this.#doubts === 0 ? undefined : 0n;
    });
    const [health, { found }] = await Promise.all([network.getHealth(), asked, balance]);
    const sequences = new Map<string, bigint>();
    for (const address of this.#keys.keys()) {
      const entry = entryOf(found, address);
      const sequence = entry === undefined ? undefined : sequenceOfEntry(entry);
      if (sequence !== undefined) sequences.set(address, sequence);
    }
    const { problem, ledgers } = health;
    if (problem !== undefined) {
      return [{ code: 'rpc_unavailable', message: `The RPC server cannot serve: ${problem}.` }];
    }
    if (ledgers !== undefined) {
      const seen = { latest: ledgers.latest, oldestClosedAt: ledgers.oldestClosedAt, sequences };
      const reset = await this.#compare(seen);
      if (reset !== undefined) return [reset];
      if (this.#behind === 0) this.#seen = seen;
    }
    return missingAccounts(signers, sequences);
  }

  /** Compares the network with the known one if something looks different. Rejects with RpcError. */
  async #compare(seen: Seen): Promise<Reasons[number] | undefined> {
    const { known, network, signers, onReset } = this.#parts;
    if (known === undefined || this.#isReset) return undefined;
    if (this.#seen !== undefined && !looksDifferent(seen, this.#seen) && this.#behind === 0) {
      return undefined;
    }
    const verdict = await compareNetwork(known, signers.sponsor, network);
    this.#behind = verdict === 'behind' ? this.#behind + 1 : 0;
    if (verdict === 'same' || (verdict === 'behind' && this.#behind < PROBES)) return undefined;
    this.#isReset = true;
    onReset();
    return { code: 'network_reset', message: NETWORK_RESET_WORDS };
  }
}

/** Whether something has changed in a way that the same network does not allow: a lower ledger or sequence number, another history, fewer accounts. */
function looksDifferent(now: Seen, before: Seen): boolean {
  if (now.latest < before.latest) return true;
  if (now.oldestClosedAt !== before.oldestClosedAt) return true;
  return [...before.sequences].some(
    ([address, sequence]) => (now.sequences.get(address) ?? -1n) < sequence,
  );
}

/** What is missing of the accounts that settle payments. */
function missingAccounts(
  { sponsor, channels }: Signers,
  sequences: ReadonlyMap<string, bigint>,
): Reasons {
  const reasons: Reasons = [];
  if (!sequences.has(sponsor.address)) {
    const message = `The sponsor ${sponsor.address} does not exist on the network. Fund it first.`;
    reasons.push({ code: 'sponsor_missing', message });
  }
  const missing = channels.filter(({ address }) => !sequences.has(address)).length;
  if (missing > 0) {
    const message =
      `${missing} of the ${channels.length} channel accounts do not exist on the network. ` +
      'Create them with `svc-x402 facilitator create-channels`.';
    reasons.push({ code: 'channels_missing', message });
  }
  return reasons;
}
