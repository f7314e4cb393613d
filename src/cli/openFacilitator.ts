import {
  type FacilitatorConfig,
  type FacilitatorOptions,
  startFacilitator,
} from '../server/index.ts';
import { packageRoot } from './packageRoot.ts';
import type { Session } from './session.ts';

/**
 * Starts the facilitator, and prints its port if it is not the configured one.
 * @returns its URL
 */
export async function openFacilitator(
  { closers, logger, report, fail }: Session,
  config: FacilitatorConfig &
    Pick<
      FacilitatorOptions,
      'checksLocalSellers' | 'policyProofRequired' | 'passkeyToken' | 'operatorToken'
    >,
): Promise<string> {
  const facilitator = closers.add(await startFacilitator({ ...config, logger, openMcp }));
  if (config.port !== 0 && facilitator.port !== config.port) {
    const text = `Port ${config.port} is in use. The facilitator is on port ${facilitator.port}.`;
    report.say(text, 'busy_port', { asked: config.port, port: facilitator.port });
  }
  facilitator.failed.catch(fail);
  return facilitator.url;
}

/** Loaded at the first request, because most services never receive an MCP request. */
const openMcp: FacilitatorOptions['openMcp'] = async (ask) =>
  (await import('../mcp/main.ts')).mcpEndpoint(packageRoot().version, ask);
