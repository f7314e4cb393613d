import { leaveServiceFile, tellServing } from './announce.ts';
import type { LedgerCommand } from './commandOptions.ts';
import { inSession, requireFolderFree } from './session.ts';
import { startNetwork } from './startNetwork.ts';

/** `svc-x402 ledger`: the embedded network alone. */
export function runLedger(options: LedgerCommand): Promise<void> {
  return inSession(options, async (session) => {
    await requireFolderFree(session);
    const { service } = await startNetwork(session, options);
    const addresses = { facilitatorUrl: null, network: service };
    await leaveServiceFile(session, addresses);
    tellServing(session, addresses);
    await session.stopped;
  });
}
