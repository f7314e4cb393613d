import type { ChannelOutcome } from '../settlement/index.ts';
import { StoreError } from '../store/index.ts';
import type { FacilitatorParts } from './facilitatorParts.ts';
import type { SettleOutcome } from './outcomes.ts';
import type { Rejection } from './rejection.ts';
import { pending, type Run, refuse } from './settlementRun.ts';
import { tellCatalog } from './tellCatalog.ts';

/** What the scheme can tell of a transaction that failed on the ledger; its silence changes nothing. */
async function explainFailed(
  { scheme, payment, hash }: Run,
  { logger }: FacilitatorParts,
): Promise<string[]> {
  try {
    const explanation = await scheme.explainFailed?.(payment);
    return explanation === undefined ? [] : [explanation];
  } catch (error) {
    logger.warn({ err: error, hash }, 'the failure could not be explained');
    return [];
  }
}

/** Writes down what the ledger decided. If that fails, the ledger is asked again after a restart. */
async function writeDecision(
  run: Run,
  decision: Extract<ChannelOutcome<Rejection>, { status: 'decided' }>['decision'],
  detail: string | undefined,
  { journal, logger }: FacilitatorParts,
): Promise<void> {
  try {
    await journal.decided(run.record, decision, detail);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    logger.error({ reason: error.code, hash: run.hash }, 'a decision could not be written down');
  }
}

/** Reads what became of the transaction as the outcome of the settlement. */
export async function concludeSettlement(
  channelOutcome: ChannelOutcome<Rejection>,
  run: Run,
  parts: FacilitatorParts,
): Promise<SettleOutcome> {
  const { payment, request, record } = run;
  const { payer } = payment;
  switch (channelOutcome.status) {
    case 'rejected':
      return { status: 'rejected', rejection: { payer, ...channelOutcome.rejection } };
    case 'never_sent':
      return refuse('submission_failed', run, channelOutcome.detail);
    case 'abandoned':
      return pending(channelOutcome.hash, run);
    case 'decided': {
      const { hash, decision } = channelOutcome;
      if (decision.status === 'succeeded') {
        run.feeCharged = decision.feeCharged;
        await writeDecision(run, decision, undefined, parts);
        const settlement = { request, payment, hash, ledger: decision.ledger };
        const extensions = await tellCatalog(settlement, record, parts);
        return { status: 'settled', payment, hash, extensions };
      }
      if (decision.status === 'failed') run.feeCharged = decision.feeCharged;
      const detail =
        decision.status === 'failed'
          ? [`FAILED ${decision.resultCode}`, ...(await explainFailed(run, parts))].join('; ')
          : 'no ledger included the transaction';
      await writeDecision(run, decision, detail, parts);
      return {
        status: 'failed',
        hash,
        rejection: { code: 'transaction_failed', payer, detail },
      };
    }
  }
}
