import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { answerToBadLine, answerToLongLine, type ErrorAnswer } from './badMessage.ts';

/** What happens to requests on the wire, for callers that must know who got an answer. */
export interface WireObserver {
  /** @param written resolves with whether the answer was written */
  answering(id: RequestId, written: Promise<boolean>): void;
  /** The client stopped waiting for this request. */
  cancelled(id: RequestId): void;
}

/** As in the SDK's transport. */
const MAX_LINE_BYTES = 10 * 1024 * 1024;
/** Start and end of a line that is too long, in which its id is looked for. */
const EDGE_BYTES = 200;
const NEWLINE = 0x0a;

/**
 * MCP over stdin and stdout, one JSON-RPC message a line. Unlike the SDK's transport it answers what it cannot read, stays
 * connected after a line that is too long, and reports which answers were written.
 */
export class StdioWire implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #observer: WireObserver;
  #chunks: Buffer[] = [];
  #size = 0;
  /** The last bytes of a line that is too long; `undefined` while the line is within the limit. */
  #skipped: { readonly start: string; end: Buffer } | undefined;
  #closed = false;

  constructor(input: Readable, output: Writable, observer: WireObserver) {
    this.#input = input;
    this.#output = output;
    this.#observer = observer;
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#input.on('error', (error) => this.onerror?.(error));
    const close = () => void this.close();
    this.#input.once('end', close);
    this.#input.once('close', close);
    this.#output.on('error', close);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const written = this.#write(message);
    if ('id' in message && message.id !== undefined && !('method' in message)) {
      this.#observer.answering(message.id, written);
    }
    if (!(await written)) throw new Error('stdout is closed');
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.pause();
    this.#chunks = [];
    this.onclose?.();
  }

  #write(message: JSONRPCMessage | ErrorAnswer): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => resolve(!error));
    });
  }

  #read(chunk: Buffer): void {
    let rest = chunk;
    while (!this.#closed) {
      const end = rest.indexOf(NEWLINE);
      if (end === -1) {
        this.#append(rest);
        return;
      }
      this.#append(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      this.#endLine();
    }
  }

  #append(part: Buffer): void {
    if (this.#skipped !== undefined) {
      this.#skipped.end = Buffer.concat([this.#skipped.end, part]).subarray(-EDGE_BYTES);
      return;
    }
    this.#size += part.length;
    this.#chunks.push(part);
    if (this.#size <= MAX_LINE_BYTES) return;
    const line = Buffer.concat(this.#chunks);
    this.#chunks = [];
    const start = line.subarray(0, EDGE_BYTES).toString('utf8');
    this.#skipped = { start, end: Buffer.from(line.subarray(-EDGE_BYTES)) };
  }

  #endLine(): void {
    const skipped = this.#skipped;
    const line = Buffer.concat(this.#chunks).toString('utf8').trim();
    this.#chunks = [];
    this.#size = 0;
    this.#skipped = undefined;
    if (skipped !== undefined) {
      this.#refuse(answerToLongLine(skipped.start, skipped.end.toString('utf8'), MAX_LINE_BYTES));
    } else if (line !== '') {
      this.#receive(line);
    }
  }

  #receive(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(JSON.parse(line));
    } catch {
      this.#refuse(answerToBadLine(line));
      return;
    }
    if ('method' in message && message.method === 'notifications/cancelled') {
      const { requestId } = message.params ?? {};
      if (typeof requestId === 'string' || typeof requestId === 'number') {
        this.#observer.cancelled(requestId);
      }
    }
    this.onmessage?.(message);
  }

  #refuse(answer: ErrorAnswer | undefined): void {
    const reason = answer?.error.message ?? 'It is not a message of the protocol.';
    process.stderr.write(`A line on stdin was not read: ${reason}\n`);
    if (answer !== undefined) void this.#write(answer);
  }
}
