import { connect, isIP, type Socket } from 'node:net';
import { connect as secureConnect } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { type HttpAnswer, HttpAnswerReader, type ReadState } from './httpAnswerReader.ts';

/** One request on a connection. After one of the last three callbacks, none is called again. */
export interface Exchange {
  readonly body: string;
  /** Called when the request is written to an open connection; from then on, the server may receive it. */
  onSent(): void;
  onAnswer(answer: HttpAnswer): void;
  /**
   * The connection ended, or its bytes are not a response.
   * @param isStale whether a kept connection ended before a response began: the server closed it just as it was used again
   */
  onBroken(detail: string, isStale: boolean): void;
  onTooLarge(): void;
}

export interface ConnectionOptions {
  readonly url: URL;
  /** PEM of a certificate authority for `https:` URLs; `null` for the system's. */
  readonly certificateAuthority: string | null;
  /** Maximum number of open connections; further requests wait for one. */
  readonly maxConnections: number;
  /** Maximum size of a response body in bytes. */
  readonly maxAnswerBytes: number;
}

/** Connections to one server, kept alive. */
export interface RpcConnections {
  /** Sends a POST on the most recently used connection, or on a new one. @returns a function that aborts the request */
  send(exchange: Exchange): () => void;
  close(): void;
}

/** Maximum bytes of one read from a socket. Most responses fit. */
const READ_BYTES = 32_768;

const CLOSED = 'the connections were closed';

/** The parts that all requests share. */
interface Destination {
  readonly open: (receive: (bytes: Buffer) => void) => Socket;
  /** The event that a new socket emits when it is ready for writing. */
  readonly opened: 'connect' | 'secureConnect';
  /** The head of a request, up to the value of its content-length. */
  readonly head: string;
  readonly maxAnswerBytes: number;
}

function destinationOf(options: ConnectionOptions): Destination {
  const { url, certificateAuthority, maxAnswerBytes } = options;
  const { hostname, path = '/', auth } = urlToHttpOptions(url);
  const host = String(hostname);
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  const authorization =
    typeof auth === 'string'
      ? `authorization: Basic ${Buffer.from(auth).toString('base64')}\r\n`
      : '';
  const head =
    `POST ${path} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\n${authorization}` +
    'content-type: application/json\r\ncontent-length: ';
  if (!secure) {
    const open = (receive: (bytes: Buffer) => void): Socket => {
      // Reading into the socket's own buffer costs a third of reading through a stream.
      const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
      const callback = (size: number): boolean => {
        receive(buffer.subarray(0, size));
        return true;
      };
      return connect({ host, port, noDelay: true, onread: { buffer, callback } });
    };
    return { open, opened: 'connect', head, maxAnswerBytes };
  }
  let session: Buffer | undefined;
  const trust = certificateAuthority === null ? {} : { ca: certificateAuthority };
  const named = isIP(host) === 0 ? { servername: host } : {};
  const open = (receive: (bytes: Buffer) => void): Socket => {
    const resumed = session === undefined ? {} : { session };
    const ALPNProtocols = ['http/1.1'];
    const socket = secureConnect({ host, port, ALPNProtocols, ...named, ...trust, ...resumed });
    socket.setNoDelay(true);
    socket.on('session', (ticket) => {
      session = ticket;
    });
    socket.on('error', () => {
      session = undefined;
    });
    socket.on('data', receive);
    return socket;
  };
  return { open, opened: 'secureConnect', head, maxAnswerBytes };
}

/** What a connection reports to its pool. */
interface Keeper {
  /** It may be used again. */
  onFree(connection: Connection): void;
  onEnded(connection: Connection): void;
}

/** One socket, with one request at a time. */
class Connection {
  readonly #destination: Destination;
  readonly #keeper: Keeper;
  readonly #socket: Socket;
  #exchange: Exchange | undefined;
  #reader: HttpAnswerReader;
  #isOpen = false;
  #isReused = false;
  #keptUntil = 0;

  constructor(destination: Destination, keeper: Keeper) {
    this.#destination = destination;
    this.#keeper = keeper;
    this.#reader = new HttpAnswerReader(destination.maxAnswerBytes);
    const socket = destination.open((bytes) => this.#receive(bytes));
    this.#socket = socket;
    socket.once(destination.opened, () => {
      this.#isOpen = true;
      this.#write();
    });
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) =>
      this.#end(message, code === 'ECONNRESET' || code === 'EPIPE'),
    );
    socket.on('end', () => this.#read(this.#reader.end()));
    socket.on('close', () => this.#end('socket hang up', true));
  }

  /** Whether the server keeps the connection open for another request. */
  get isKept(): boolean {
    return !this.#socket.destroyed && performance.now() < this.#keptUntil;
  }

  start(exchange: Exchange): void {
    this.#exchange = exchange;
    if (!this.#isOpen) return;
    this.#isReused = true;
    this.#reader = new HttpAnswerReader(this.#destination.maxAnswerBytes);
    this.#socket.ref();
    this.#write();
  }

  /** Closes the connection without notifying its exchange. */
  destroy(): void {
    this.#exchange = undefined;
    this.#socket.destroy();
    this.#keeper.onEnded(this);
  }

  /** Closes the connection and reports it to the exchange as broken. */
  end(): void {
    this.#end(CLOSED, false);
  }

  #write(): void {
    const exchange = this.#exchange;
    if (exchange === undefined) return;
    const { body } = exchange;
    exchange.onSent();
    // A single write, because the head and the body are short.
    this.#socket.write(`${this.#destination.head}${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #receive(bytes: Buffer): void {
    // Unsolicited bytes: whatever follows would be mistaken for the next response.
    if (this.#exchange === undefined) this.destroy();
    else this.#read(this.#reader.push(bytes));
  }

  #read(read: ReadState): void {
    const exchange = this.#exchange;
    if (exchange === undefined) return;
    switch (read.state) {
      case 'incomplete':
        return;
      case 'whole':
        this.#exchange = undefined;
        this.#free(read.keptMs);
        exchange.onAnswer(read.answer);
        return;
      case 'malformed':
        this.#end(read.why, false);
        return;
      case 'too_large':
        this.destroy();
        exchange.onTooLarge();
    }
  }

  #free(keptMs: number): void {
    if (keptMs === 0 || this.#socket.destroyed) {
      this.destroy();
      return;
    }
    this.#keptUntil = performance.now() + keptMs;
    // An idle connection does not keep the process running.
    this.#socket.unref();
    this.#keeper.onFree(this);
  }

  #end(detail: string, isEnd: boolean): void {
    const exchange = this.#exchange;
    const isStale = isEnd && this.#isReused && !this.#reader.hasHead;
    this.destroy();
    exchange?.onBroken(detail, isStale);
  }
}

/** See `RpcConnections`. */
class ConnectionPool implements RpcConnections {
  readonly #destination: Destination;
  readonly #most: number;
  readonly #open = new Set<Connection>();
  readonly #idle: Connection[] = [];
  readonly #waiting = new Set<Exchange>();
  readonly #busy = new Map<Exchange, Connection>();
  readonly #keeper: Keeper = {
    onFree: (connection) => {
      this.#idle.push(connection);
      this.#serve();
    },
    onEnded: (connection) => {
      if (!this.#open.delete(connection)) return;
      const at = this.#idle.indexOf(connection);
      if (at >= 0) this.#idle.splice(at, 1);
      this.#serve();
    },
  };

  constructor(options: ConnectionOptions) {
    this.#destination = destinationOf(options);
    this.#most = options.maxConnections;
  }

  send(exchange: Exchange): () => void {
    this.#waiting.add(exchange);
    this.#serve();
    return () => {
      this.#waiting.delete(exchange);
      this.#busy.get(exchange)?.destroy();
      this.#busy.delete(exchange);
    };
  }

  close(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const connection of [...this.#open]) connection.end();
    for (const exchange of waiting) exchange.onBroken(CLOSED, false);
  }

  /** Assigns connections to waiting requests in order of arrival. */
  #serve(): void {
    for (const exchange of this.#waiting) {
      const connection = this.#take();
      if (connection === undefined) return;
      this.#waiting.delete(exchange);
      this.#start(exchange, connection);
    }
  }

  #start(exchange: Exchange, connection: Connection): void {
    this.#busy.set(exchange, connection);
    const over = (): boolean => this.#busy.delete(exchange);
    connection.start({
      body: exchange.body,
      onSent: () => exchange.onSent(),
      onAnswer(answer) {
        over();
        exchange.onAnswer(answer);
      },
      onBroken(detail, isStale) {
        over();
        exchange.onBroken(detail, isStale);
      },
      onTooLarge() {
        over();
        exchange.onTooLarge();
      },
    });
  }

  /** The most recently used connection is the least likely to be closed. */
  #take(): Connection | undefined {
    for (;;) {
      const idle = this.#idle.pop();
      if (idle === undefined) break;
      if (idle.isKept) return idle;
      idle.destroy();
    }
    if (this.#open.size >= this.#most) return undefined;
    const connection = new Connection(this.#destination, this.#keeper);
    this.#open.add(connection);
    return connection;
  }
}

/** Opens no connection until the first request. */
export function openConnections(options: ConnectionOptions): RpcConnections {
  return new ConnectionPool(options);
}
