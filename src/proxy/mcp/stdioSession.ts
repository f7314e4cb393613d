import { answerTo, type Forwarded, failure, type Sending, withoutMessages } from './backend.ts';
import { Channel } from './channel.ts';
import { McpProcess, type ProcessLog } from './mcpProcess.ts';
import {
  type ClientMessage,
  type ClientRequest,
  METHOD_NOT_FOUND,
  messageText,
  type RequestId,
  readServerMessage,
  refusalText,
  type ServerMessage,
} from './message.ts';
import { membersOf, objectText } from './rawJson.ts';

/** Messages that wait for a client to read them. */
const MAX_WAITING = 1_000;
const PROGRESS = 'notifications/progress';

interface Pending {
  readonly clientId: RequestId;
  readonly isSold: boolean;
  /** As the client wrote it, in JSON. */
  readonly progressToken: string | undefined;
  readonly takesStream: boolean;
  readonly channel: Channel<ServerMessage>;
  isCancelled: boolean;
}

interface SessionOptions {
  readonly command: string | readonly string[];
  /** Whether one client has it; clients that open no session share one, and its server cannot ask them anything. */
  readonly isShared: boolean;
  readonly log: ProcessLog;
  /** Milliseconds of a clock that does not jump. */
  readonly elapsed: () => number;
  readonly onEnd: (session: StdioSession, why: string) => void;
}

/** A process of the server, with the requests that it has not answered. */
export class StdioSession {
  readonly started: number;
  /** Whether it ever answered. */
  hasAnswered = false;
  lastUsed: number;
  readonly #options: SessionOptions;
  readonly #process: McpProcess;
  readonly #pending = new Map<string, Pending>();
  #listener: Channel<ServerMessage> | undefined;
  /** What came while nobody listened. */
  #unread: ServerMessage[] = [];
  #count = 0;

  constructor(options: SessionOptions) {
    const { elapsed, log } = options;
    this.#options = options;
    this.started = elapsed();
    this.lastUsed = this.started;
    this.#process = new McpProcess(options.command, {
      onLine: (line) => this.#receive(line),
      onEnd: (why) => {
        for (const { channel } of this.#pending.values()) channel.end();
        this.#listener?.end();
        options.onEnd(this, why);
      },
      log,
    });
  }

  /** Whether a request waits for its answer, or a client listens. */
  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  get isListenedTo(): boolean {
    return this.#listener !== undefined;
  }

  /** Sends a request; its id and its progress token are replaced by ones that no other client can choose. */
  request(request: ClientRequest, { isSold, signal }: Sending, takesStream: boolean): Forwarded {
    this.lastUsed = this.#options.elapsed();
    this.#count += 1;
    const id = `p${this.#count}`;
    const meta = membersOf(request.params?.get('_meta') ?? '');
    const progressToken = meta?.get('progressToken');
    const params =
      meta === undefined || progressToken === undefined
        ? request.params
        : new Map(request.params).set(
            '_meta',
            objectText(new Map(meta).set('progressToken', JSON.stringify(id))),
          );
    const channel = new Channel<ServerMessage>(MAX_WAITING);
    const pending: Pending = {
      ...{ clientId: request.id, isSold, progressToken, takesStream, channel },
      isCancelled: false,
    };
    if (!this.#process.write(messageText(request.method, params, id))) {
      return failure(503, 'server_busy', 'The MCP server does not read what it is sent.');
    }
    this.#pending.set(id, pending);
    signal.addEventListener('abort', () => channel.end(), { once: true });
    if (signal.aborted) channel.end();
    return {
      ...withoutMessages(200),
      messages: this.#until(id, channel),
      isCancelled: () => pending.isCancelled,
      destroy: () => {
        this.#pending.delete(id);
        channel.end();
      },
    };
  }

  /** Sends a notification, or an answer to what the server asked. */
  send(message: Exclude<ClientMessage, ClientRequest>): Forwarded {
    this.lastUsed = this.#options.elapsed();
    let text = message.kind === 'answer' ? message.text : '';
    if (message.kind === 'notification') {
      const { method, params } = message;
      const cancelled = params?.get('requestId');
      const found =
        method === 'notifications/cancelled' && cancelled !== undefined
          ? this.#cancelled(cancelled)
          : undefined;
      // Sold calls run to their end.
      if (method === 'notifications/cancelled' && found === undefined) return withoutMessages(202);
      text = messageText(
        method,
        found === undefined ? params : new Map(params).set('requestId', JSON.stringify(found)),
      );
      const pending = found === undefined ? undefined : this.#pending.get(found);
      // Servers do not answer a cancelled request (MCP, "Cancellation"), and the client's HTTP request would stay open.
      if (pending !== undefined) pending.isCancelled = true;
      pending?.channel.end();
    }
    // Clients that share a process must not answer each other's questions.
    if (!this.#options.isShared) this.#process.write(text);
    return withoutMessages(202);
  }

  /** Opens the stream of messages that belong to no request. @returns `undefined` if there is one already */
  listen(signal: AbortSignal): Forwarded | undefined {
    if (this.#listener !== undefined) return undefined;
    const channel = new Channel<ServerMessage>(MAX_WAITING);
    this.#listener = channel;
    for (const message of this.#unread.splice(0)) channel.push(message);
    const stop = (): void => {
      channel.end();
      if (this.#listener === channel) this.#listener = undefined;
    };
    signal.addEventListener('abort', stop, { once: true });
    return { ...withoutMessages(200), messages: channel, destroy: stop };
  }

  /** Ends the stream of a client that listens. */
  endStream(): void {
    this.#listener?.end();
  }

  async end(): Promise<void> {
    this.endStream();
    await this.#process.end();
  }

  async *#until(id: string, channel: Channel<ServerMessage>): AsyncGenerator<ServerMessage> {
    try {
      for await (const message of channel) {
        yield message;
        if (message.kind === 'answer') return;
      }
    } finally {
      this.#pending.delete(id);
    }
  }

  #cancelled(requestId: string): string | undefined {
    const wanted = JSON.stringify(JSON.parse(requestId));
    for (const [id, { clientId, isSold }] of this.#pending) {
      if (!isSold && JSON.stringify(clientId) === wanted) return id;
    }
    return undefined;
  }

  #receive(line: string): void {
    const message = readServerMessage(line);
    if (message === undefined) {
      const facts = { line: line.slice(0, 200) };
      this.#options.log.warn(facts, 'the MCP server wrote a line that is not a message');
      return;
    }
    this.hasAnswered = true;
    if (message.kind === 'answer') {
      const id = String(message.id);
      const pending = this.#pending.get(id);
      const answer = pending && answerTo(message, id, pending.clientId);
      if (pending === undefined || answer === undefined) return;
      pending.channel.push(answer);
      pending.channel.end();
      return;
    }
    if (message.method === PROGRESS) {
      this.#progress(message);
      return;
    }
    if (this.#options.isShared) {
      if (message.id === undefined) return;
      const refusal = {
        id: message.id,
        code: METHOD_NOT_FOUND,
        message: 'No client is connected.',
      };
      this.#process.write(refusalText(refusal));
      return;
    }
    const waiting = [...this.#pending.values()].findLast(({ takesStream }) => takesStream);
    if ((this.#listener ?? waiting?.channel)?.push(message)) return;
    if (this.#unread.length < MAX_WAITING) this.#unread.push(message);
  }

  #progress({ params, method }: Extract<ServerMessage, { kind: 'other' }>): void {
    const token = params?.get('progressToken');
    const pending = token === undefined ? undefined : this.#pending.get(String(JSON.parse(token)));
    if (params === undefined || pending?.progressToken === undefined) return;
    const sent = new Map(params).set('progressToken', pending.progressToken);
    const text = messageText(method, sent);
    pending.channel.push({ kind: 'other', text, method, id: undefined, params: sent });
  }
}
