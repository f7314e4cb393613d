import {
  type FacilitatorConfig,
  type FacilitatorOptions,
  startFacilitator,
} from '../server/index.ts';
import { packageRoot } from './packageRoot.ts';
import type { Session } from './session.ts';

/**
 * Starts the facilitator, and prints its port if it is not the configured one.
 * @returns its URL once it can serve; `undefined` if the command is stopped before
 */
export async function openFacilitator(
  { closers, logger, report, fail, stopped }: Session,
  config: FacilitatorConfig &
    Pick<
      FacilitatorOptions,
      'checksLocalSellers' | 'policyProofRequired' | 'passkeyToken' | 'operatorToken'
    >,
): Promise<string | undefined> {
  const facilitator = closers.add(await startFacilitator({ ...config, logger, openMcp }));
  if (config.port !== 0 && facilitator.port !== config.port) {
    const text = `Port ${config.port} is in use. The facilitator is on port ${facilitator.port}.`;
    report.say(text, 'busy_port', { asked: config.port, port: facilitator.port });
  }
  facilitator.failed.catch(fail);
  // Until then, /ready and the log say what it waits for.
  const opened = facilitator.opened.then(() => facilitator.url);
  return Promise.race([opened, stopped.then(() => undefined)]);
}

/** Loaded at the first request, because most services never receive an MCP request. */
const openMcp: FacilitatorOptions['openMcp'] = async (ask) =>
  (await import('../mcp/main.ts')).mcpEndpoint(packageRoot().version, ask);
