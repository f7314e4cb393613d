import {
  type FacilitatorConfig,
  type FacilitatorOptions,
  startFacilitator,
} from '../server/index.ts';
import { packageRoot } from './packageRoot.ts';
import type { Session } from './session.ts';

/**
 * Starts the facilitator, and prints its port when that is not the configured one.
 * @returns its URL
 */
export async function openFacilitator(
  { closers, logger, report }: Session,
  config: FacilitatorConfig &
    Pick<
      FacilitatorOptions,
      'checksLocalSellers' | 'policyProofRequired' | 'passkeyToken' | 'operatorToken'
    >,
): Promise<string> {
  const facilitator = closers.add(await startFacilitator({ ...config, logger, openMcp }));
  if (config.port !== 0 && facilitator.port !== config.port) {
    const text = `Port ${config.port} is busy; the facilitator is on ${facilitator.port}.`;
    report.say(text, 'busy_port', { asked: config.port, port: facilitator.port });
  }
  return facilitator.url;
}

/** Most services are never asked for MCP, so it is loaded at the first request. */
const openMcp: FacilitatorOptions['openMcp'] = async (ask) =>
  (await import('../mcp/main.ts')).mcpEndpoint(packageRoot().version, ask);
