import type { Logger } from '../../logger.ts';
import type { SettlementJournal } from '../../settlement/index.ts';

/** A channel account as the ledger has it. */
interface UsedChannel {
  readonly signer: { readonly address: string };
  /** Last used sequence number; `undefined` if it is not known. */
  readonly sequence: bigint | undefined;
}

/** An account's sequence numbers begin at the ledger that created it, in the upper 32 bits. */
const LEDGER_BITS = 32n;
const LOW_BITS = (1n << LEDGER_BITS) - 1n;
/** Channels that a log line names. */
const MAX_NAMED = 10;

/**
 * Logs where the ledger is ahead of the journal: each transaction is recorded before it is sent, so a channel with later sequence
 * numbers was used by somebody else, or the journal has lost records. What these transactions did is not known here; each
 * payment is looked up on the ledger when it is asked for.
 */
export async function reportGaps(
  channels: readonly UsedChannel[],
  journal: SettlementJournal,
  logger: Logger,
): Promise<void> {
  const recorded = await journal.lastSequences();
  const gaps = channels.flatMap(({ signer: { address: channel }, sequence }) => {
    if (sequence === undefined) return [];
    const last = recorded.get(channel);
    // A channel that has no record, beside others that have, may not have been used for as long as records are kept.
    if (last === undefined && recorded.size > 0) return [];
    const missing = last === undefined ? sequence & LOW_BITS : sequence - last;
    return missing > 0n ? [{ channel, missing }] : [];
  });
  const total = gaps.reduce((sum, { missing }) => sum + missing, 0n);
  if (total === 0n) return;
  const named = gaps.slice(0, MAX_NAMED).map(({ channel, missing }) => `${channel} ${missing}`);
  if (recorded.size === 0) {
    logger.info(
      { transactions: `${total}`, channels: named },
      'the journal is empty and the channels have been used; earlier payments are looked up on the ledger',
    );
    return;
  }
  logger.warn(
    { transactions: `${total}`, channels: named },
    'the journal has no record of transactions of its channels: it lost them, they are older than the oldest kept, or another program uses these accounts; ' +
      'payments without a record are looked up on the ledger',
  );
}
