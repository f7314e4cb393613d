import { randomUUID } from 'node:crypto';
import type { ProxyLimits } from '../config/config.ts';
import {
  type Forwarded,
  failure,
  type McpBackend,
  type McpExchange,
  sessionOf,
  withoutMessages,
} from './backend.ts';
import type { ProcessLog } from './mcpProcess.ts';
import type { ClientRequest } from './message.ts';
import { membersOf } from './rawJson.ts';
import { StdioSession } from './stdioSession.ts';

export type StdioLog = ProcessLog;

interface StdioOptions {
  readonly limits: ProxyLimits;
  readonly log: StdioLog;
  /** Milliseconds of a clock that does not jump. */
  readonly elapsed: () => number;
}

/** Processes at a time. */
const MAX_SESSIONS = 64;
/** A session without requests ends after this time, and after the shorter one if others wait for its place. */
const IDLE_MS = 30 * 60_000;
const CROWDED_IDLE_MS = 60_000;
const LOOK_MS = 60_000;
/** A process that ends sooner, or without any answer, failed: the next one waits. */
const SOUND_MS = 10_000;
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 30_000;

/** Member of `_meta` by which clients without sessions name their revision. */
const REVISION_META = 'io.modelcontextprotocol/protocolVersion';

/**
 * A program that speaks MCP over stdin and stdout. Each session has a process of its own; clients of revision 2026-07-28, which
 * open no session, share one.
 */
export function stdioBackend(
  command: string | readonly string[],
  { log, elapsed }: StdioOptions,
): McpBackend {
  const sessions = new Map<string, StdioSession>();
  let shared: StdioSession | undefined;
  let failures = 0;
  let notBefore = 0;
  let isClosing = false;

  function ended(session: StdioSession, why: string): void {
    const found = [...sessions].find(([, each]) => each === session);
    if (found !== undefined) sessions.delete(found[0]);
    if (shared === session) shared = undefined;
    else if (found === undefined) return;
    const isSound = session.hasAnswered && elapsed() - session.started >= SOUND_MS;
    failures = isSound ? 0 : failures + 1;
    if (!isSound) notBefore = elapsed() + waitOf(failures);
    log.warn({ why, failures }, 'a process of the MCP server ended');
  }

  function start(isShared: boolean): StdioSession | Forwarded {
    if (isClosing) return failure(503, 'stopping', 'The proxy is ending.');
    const wait = notBefore - elapsed();
    if (wait > 0) {
      return {
        ...failure(503, 'server_failed', 'The MCP server ended too often. Try again later.'),
        headers: [['retry-after', String(Math.ceil(wait / 1_000))]],
      };
    }
    return new StdioSession({ command, isShared, log, elapsed, onEnd: ended });
  }

  /** Makes room for a session. @returns whether there is some */
  function makeRoom(): boolean {
    if (sessions.size < MAX_SESSIONS) return true;
    const [idle] = [...sessions]
      .filter(([, each]) => !each.isBusy && elapsed() - each.lastUsed > CROWDED_IDLE_MS)
      .sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
    if (idle === undefined) return false;
    close(idle[0]);
    return true;
  }

  function close(id: string): void {
    const session = sessions.get(id);
    sessions.delete(id);
    void session?.end();
  }

  function open(exchange: McpExchange, request: ClientRequest): StdioSession | Forwarded {
    const id = sessionOf(exchange);
    if (id !== '') {
      return sessions.get(id) ?? failure(404, 'session_not_found', 'This session has ended.');
    }
    const isStateless =
      request.method === 'server/discover' ||
      membersOf(request.params?.get('_meta') ?? '')?.has(REVISION_META) === true;
    if (!isStateless) {
      return failure(400, 'session_missing', 'Send initialize first, then Mcp-Session-Id.');
    }
    if (shared !== undefined) return shared;
    const started = start(true);
    if (started instanceof StdioSession) shared = started;
    return started;
  }

  function takesStream({ request }: McpExchange): boolean {
    return /\btext\/event-stream\b/i.test(request.headers.accept ?? '');
  }

  const timer = setInterval(() => {
    for (const [id, session] of sessions) {
      const isIdle = !session.isBusy && !session.isListenedTo;
      if (isIdle && elapsed() - session.lastUsed > IDLE_MS) close(id);
    }
  }, LOOK_MS);
  timer.unref();

  return {
    async request(exchange, request, sending) {
      if (request.method === 'initialize' && sessionOf(exchange) === '') {
        if (!makeRoom()) return failure(503, 'too_many_sessions', 'Too many sessions are open.');
        const session = start(false);
        if (!(session instanceof StdioSession)) return session;
        const id = randomUUID();
        sessions.set(id, session);
        const answer = session.request(request, sending, takesStream(exchange));
        return { ...answer, headers: [['mcp-session-id', id]] };
      }
      const session = open(exchange, request);
      if (!(session instanceof StdioSession)) return session;
      return session.request(request, sending, takesStream(exchange));
    },
    async send(exchange, message) {
      const session = sessions.get(sessionOf(exchange));
      if (session !== undefined) return session.send(message);
      return sessionOf(exchange) === ''
        ? failure(400, 'session_missing', 'Send initialize first, then Mcp-Session-Id.')
        : failure(404, 'session_not_found', 'This session has ended.');
    },
    async listen(exchange, signal) {
      const id = sessionOf(exchange);
      const session = sessions.get(id);
      if (session === undefined) {
        return id === ''
          ? failure(405, 'session_missing', 'Send initialize first, then Mcp-Session-Id.')
          : failure(404, 'session_not_found', 'This session has ended.');
      }
      return (
        session.listen(signal) ??
        failure(409, 'stream_open', 'This session has a stream of messages already.')
      );
    },
    async end(exchange) {
      const id = sessionOf(exchange);
      if (!sessions.has(id)) return failure(404, 'session_not_found', 'This session has ended.');
      close(id);
      return withoutMessages(200);
    },
    async problem() {
      return failures === 0 ? undefined : 'The MCP server ended, and will be started again.';
    },
    endStreams() {
      for (const session of sessions.values()) session.endStream();
    },
    async close() {
      isClosing = true;
      clearInterval(timer);
      const all = [...sessions.values(), ...(shared === undefined ? [] : [shared])];
      sessions.clear();
      shared = undefined;
      await Promise.all(all.map((session) => session.end()));
    },
  };
}

function waitOf(failures: number): number {
  return Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures, 20));
}
