import * as xdr from '@stellar/stellar-sdk/xdr';
import type { Clock } from '../../clock.ts';
import type { SimulationSuccess, StellarNetwork } from '../../network/index.ts';
import {
  accountKey,
  draftTransaction,
  innerTransaction,
  lookUntilDecided,
  type Signer,
  type Sponsor,
  send,
  signedEnvelope,
  unsignedEnvelope,
} from '../../settlement/index.ts';
import { PolicyError } from '../policyError.ts';
import { reaching } from '../reaching.ts';

/**
 * Maximum fee of a transaction that keeps entries alive, in stroops. A week for both modules of a policy was measured at
 * 36,713,445.
 */
const MAX_UPKEEP_FEE = 100_000_000n;
/** Ledgers within which a transaction is either included or never will be. */
const VALID_LEDGERS = 60;
const PATIENCE_MS = 120_000;
/** If another transaction has used the sequence number, it is read again once. */
const ATTEMPTS = 2;

export interface SponsorTools {
  readonly network: StellarNetwork;
  readonly clock: Clock;
  readonly signer: Signer;
  readonly sponsor: Pick<Sponsor, 'signer' | 'reserve'>;
  readonly inclusionFee: bigint;
}

/**
 * Simulates a transaction of the sponsor and returns its resources and minimum fee.
 * @param footprint for operations that name their entries only there
 */
export async function simulateAsSponsor(
  operation: xdr.Operation,
  tools: SponsorTools,
  footprint?: xdr.LedgerFootprint,
) {
  const draft = draftTransaction(
    { channel: tools.signer, sequence: 0n, operation: operation.toXdr() },
    footprint === undefined ? undefined : naming(footprint).toXdr(),
  );
  return reaching(() => tools.network.simulate(unsignedEnvelope(draft)));
}

function naming(footprint: xdr.LedgerFootprint): xdr.SorobanTransactionData {
  const none = { instructions: 0, diskReadBytes: 0, writeBytes: 0 };
  return new xdr.SorobanTransactionData({
    ext: xdr.SorobanTransactionDataExt.v0(),
    resources: new xdr.SorobanResources({ footprint, ...none }),
    resourceFee: 0n,
  });
}

/**
 * Runs the sponsor's own transactions one at a time, since they share its sequence number. Only
 * deployments use it: settlements use those of the channels.
 */
export function createSponsorTransactions(tools: SponsorTools) {
  let last: Promise<unknown> = Promise.resolve();
  return function run(
    operation: xdr.Operation,
    onSending: (hash: string) => Promise<void> = async () => undefined,
    footprint?: xdr.LedgerFootprint,
  ): Promise<string> {
    const turn = last.then(() => reaching(() => submit(operation, onSending, tools, footprint)));
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** Minimum inclusion bid of an operation, in stroops. */
const LEAST_BID = 100n;

/**
 * Runs the transactions of an account that pays its own fees, one at a time. @returns a function that runs one and returns its
 * hash
 */
export function createOwnTransactions(
  signer: Signer,
  network: StellarNetwork,
  clock: Clock,
): (operation: xdr.Operation) => Promise<string> {
  const sponsor = {
    signer,
    reserve: async () => ({ close: () => undefined }),
  };
  return createSponsorTransactions({ network, clock, signer, sponsor, inclusionFee: LEAST_BID });
}

async function submit(
  operation: xdr.Operation,
  onSending: (hash: string) => Promise<void>,
  tools: SponsorTools,
  footprint: xdr.LedgerFootprint | undefined,
): Promise<string> {
  const { inclusionFee, sponsor } = tools;
  const simulation = await simulateAsSponsor(operation, tools, footprint);
  if (simulation.status !== 'success') {
    throw new PolicyError('deployment_failed', firstLine(simulation.error));
  }
  const worst = simulation.minResourceFee + inclusionFee;
  if (footprint !== undefined && worst > MAX_UPKEEP_FEE) {
    throw new PolicyError(
      'deployment_failed',
      `keeping its entries alive would cost ${worst} stroops`,
    );
  }
  const reservation = await sponsor.reserve(worst);
  if (reservation === undefined) throw new PolicyError('sponsor_balance_low');
  let charged = 0n;
  try {
    for (let attempt = 1; ; attempt++) {
      const { hash, built, lastLedger } = await build(operation, simulation, tools);
      await onSending(hash);
      const sent = await send(built, tools.network, tools.clock);
      if (sent.status !== 'sent') {
        if (sent.status === 'refused' && sent.badSequence && attempt < ATTEMPTS) continue;
        throw new PolicyError('deployment_failed', sent.detail);
      }
      charged = worst;
      const deadline = tools.clock.elapsed() + PATIENCE_MS;
      const decision = await lookUntilDecided(
        built.hash,
        { lastLedger, sentAfter: lastLedger - VALID_LEDGERS },
        deadline,
        tools.network,
        tools.clock,
      );
      if (decision?.status === 'succeeded') {
        charged = decision.feeCharged;
        return hash;
      }
      if (decision?.status === 'failed') charged = decision.feeCharged;
      if (decision?.status === 'dropped') charged = 0n;
      const detail = decision?.status === 'failed' ? decision.resultCode : 'no ledger included it';
      throw new PolicyError('deployment_failed', detail);
    }
  } finally {
    reservation.close(charged);
  }
}

async function build(operation: xdr.Operation, simulation: SimulationSuccess, tools: SponsorTools) {
  const { network, signer, inclusionFee } = tools;
  const { entries, latestLedger } = await network.getLedgerEntries([accountKey(signer)]);
  const [entry] = entries;
  if (entry?.type !== 'account') throw new PolicyError('sponsor_balance_low', 'it does not exist');
  const lastLedger = latestLedger + VALID_LEDGERS;
  const transaction = innerTransaction({
    channel: signer,
    sequence: entry.account.seqNum + 1n,
    operation: operation.toXdr(),
    resources: simulation.encodedData,
    resourceFee: simulation.resourceFee,
    inclusionFee,
    lastLedger,
  });
  const built = signedEnvelope(transaction, signer);
  return { built, hash: built.hash, lastLedger };
}

/** Returns the first line of the host's report, which describes the failure; a log of events follows. */
export function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 200);
}
