import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { NodeRuntime } from '../service/index.ts';
import { inherited } from '../service/index.ts';
import { t } from '../words/index.ts';

/** A tool's result, as far as the editor reads it. */
export interface ToolResult {
  readonly isError: boolean;
  readonly text: string;
  readonly structuredContent: unknown;
  /** Error code, from which the editor decides what to suggest. */
  readonly errorCode: string | undefined;
}

export interface McpClientOptions {
  readonly runtime: NodeRuntime;
  /** The bundle `dist/mcp.js`, or `dist/cli.js` with the arguments of `mcp`. */
  readonly bundle: string;
  readonly args?: readonly string[];
  readonly version: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly onLog: (line: string) => void;
  readonly onClosed: () => void;
  /** Asks the user a question for the server (elicitation). Without it, the client declares that it cannot ask. */
  readonly onAsk?: (question: string) => Promise<boolean>;
}

/** An MCP server over stdio, with the two protocol calls that the editor makes. */
export interface McpClient {
  callTool(name: string, args: object, signal?: AbortSignal): Promise<ToolResult>;
  close(): void;
}

const PROTOCOL = '2025-06-18';
const LONGEST_CALL_MS = 130_000;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * Starts the discovery server and speaks MCP to it: JSON-RPC, one message per line. The SDK's client would be ten times the
 * size of the rest of the extension.
 */
export async function startMcpClient(options: McpClientOptions): Promise<McpClient> {
  const child = spawn(options.runtime.command, [options.bundle, ...(options.args ?? [])], {
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    env: { ...inherited(), ...options.runtime.environment, ...options.environment },
  });
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  let closed = false;

  function close(error: Error): void {
    if (closed) return;
    closed = true;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    options.onClosed();
  }
  child.once('error', (error) => close(error));
  child.once('exit', (code) =>
    close(new Error(t('The discovery server exited with {0}.', code ?? t('a signal')))),
  );
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stderr }).on('line', options.onLog);

  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  const { onAsk } = options;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const question = receive(line, waiting);
    if (question === undefined) return;
    const answer = (accepted: boolean) =>
      send({
        id: question.id,
        result: accepted ? { action: 'accept', content: {} } : { action: 'decline' },
      });
    void (onAsk?.(question.message) ?? Promise.resolve(false)).then(answer, () => answer(false));
  });

  function request(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    if (closed) return Promise.reject(new Error(t('The discovery server has exited.')));
    const id = nextId++;
    return new Promise((resolve, reject) => {
      const cancel = () => {
        finish();
        send({ method: 'notifications/cancelled', params: { requestId: id } });
        reject(new Error(t('The call was cancelled.')));
      };
      const timer = setTimeout(cancel, LONGEST_CALL_MS);
      const finish = () => {
        waiting.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
      };
      waiting.set(id, {
        resolve: (result) => {
          finish();
          resolve(result);
        },
        reject: (error) => {
          finish();
          reject(error);
        },
      });
      signal?.addEventListener('abort', cancel, { once: true });
      send({ id, method, params });
    });
  }

  await request('initialize', {
    protocolVersion: PROTOCOL,
    capabilities: onAsk === undefined ? {} : { elicitation: {} },
    clientInfo: { name: 'svc-x402-editor', version: options.version },
  });
  send({ method: 'notifications/initialized' });
  return {
    async callTool(name, args, signal) {
      return readToolResult(await request('tools/call', { name, arguments: args }, signal));
    },
    close: () => end(child),
  };
}

/** Closes stdin, which makes a server exit. One that does not exit is killed. */
function end(child: ChildProcess): void {
  child.stdin?.end();
  const timer = setTimeout(() => child.kill(), 2_000);
  timer.unref();
  child.once('exit', () => clearTimeout(timer));
}

/** A question that the server asks the user. */
interface Elicitation {
  readonly id: unknown;
  readonly message: string;
}

/** Passes a response to the call that waits for it. @returns the question, if the server asked one */
function receive(line: string, waiting: ReadonlyMap<number, Waiting>): Elicitation | undefined {
  let message: {
    id?: unknown;
    method?: unknown;
    params?: { message?: unknown };
    result?: unknown;
    error?: { message?: unknown };
  };
  try {
    message = JSON.parse(line) as typeof message;
  } catch {
    return undefined;
  }
  const { id, method, params } = message;
  if (method === 'elicitation/create' && id !== undefined) {
    return { id, message: String(params?.message) };
  }
  if (method !== undefined) return undefined;
  const call = typeof message.id === 'number' ? waiting.get(message.id) : undefined;
  if (call === undefined) return undefined;
  if (message.error) call.reject(new Error(String(message.error.message)));
  else call.resolve(message.result);
  return undefined;
}

function readToolResult(result: unknown): ToolResult {
  const { isError, content, structuredContent, _meta } = (result ?? {}) as {
    isError?: unknown;
    content?: readonly { type?: unknown; text?: unknown }[];
    structuredContent?: unknown;
    _meta?: Readonly<Record<string, { code?: unknown } | undefined>>;
  };
  const code = _meta?.['svc-x402/error']?.code;
  return {
    isError: isError === true,
    text: (content ?? []).map(({ text }) => (typeof text === 'string' ? text : '')).join('\n'),
    structuredContent,
    errorCode: typeof code === 'string' ? code : undefined,
  };
}
