import type { McpUpstream, ProxyLimits } from '../config/config.ts';
import type { Upstream } from '../upstream.ts';
import type { McpBackend } from './backend.ts';
import { httpBackend } from './httpBackend.ts';
import { type StdioLog, stdioBackend } from './stdioBackend.ts';

interface BackendOptions {
  /** Connection to a server over HTTP. */
  readonly upstream: Upstream;
  readonly limits: ProxyLimits;
  readonly log: StdioLog;
  /** Milliseconds of a clock that does not jump. */
  readonly elapsed: () => number;
}

/** Opens the MCP server that a configuration names. A program is started with its first session. */
export function openBackend(
  where: McpUpstream,
  { upstream, limits, log, elapsed }: BackendOptions,
): McpBackend {
  return where.kind === 'http'
    ? httpBackend(upstream, where.url, limits)
    : stdioBackend(where.command, { limits, log, elapsed });
}
