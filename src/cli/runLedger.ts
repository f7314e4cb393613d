import { leaveServiceFile, tellServing } from './announce.ts';
import type { LedgerCommand } from './commandOptions.ts';
import { giveBackAtRest } from './memory/giveBackAtRest.ts';
import { inSession, requireFolderFree } from './session.ts';
import { startNetwork } from './startNetwork.ts';
import { keepSaving, loadState, openStateFiles, saveState } from './stateFile.ts';

/** `svc-x402 ledger`: runs only the embedded network. */
export function runLedger(command: LedgerCommand): Promise<void> {
  return inSession(command, async (session) => {
    const { options, saved, saveTo } = await openStateFiles(command);
    await requireFolderFree(session);
    const { ledger, service } = await startNetwork(session, options);
    if (saved !== undefined) await loadState(ledger, saved);
    const addresses = { facilitatorUrl: null, network: service };
    await leaveServiceFile(session, addresses);
    tellServing(session, addresses);
    session.closers.add(giveBackAtRest());
    if (saveTo === undefined) {
      await session.stopped;
      return;
    }
    const onFault = (fault: Error) =>
      session.logger.error({ fault: fault.message }, 'could not save the state');
    const { seed, stateInterval } = options;
    const saving = keepSaving(ledger, saveTo, seed, stateInterval, onFault);
    await session.stopped;
    await saving.close();
    await saveState(ledger, saveTo, seed);
    session.report.say(`State saved in ${saveTo}.`, 'state_saved', { file: saveTo });
  });
}
