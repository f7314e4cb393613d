import { closedBy } from './closedBy.ts';
import type { ClosedByControl } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';

/**
 * Closes a ledger that raises the protocol, as validators of a public network do by vote. It cannot be lowered again.
 * @throws RpcError, LedgerServiceError
 */
export async function upgradeProtocol(
  { protocols, service, upgradeProtocol }: ControlNetwork,
  params: unknown,
): Promise<ClosedByControl> {
  const protocol = new ControlParams(params, ['protocol']).whole('protocol', [1, 1_000]);
  const running = service.engine.state.header.ledgerVersion;
  const later = protocols.filter((one) => one > running);
  if (!later.includes(protocol)) {
    const choice = later.length === 0 ? 'no later one is supported' : `choose ${later.join(', ')}`;
    throw invalid(`the network runs protocol ${running}; ${choice}`);
  }
  return closedBy(await upgradeProtocol(protocol));
}
