import type http from 'node:http';
import type { Random } from '../helpers/random.ts';

/** Methods of Stellar RPC that a facilitator uses. */
export const METHODS = [
  'simulateTransaction',
  'sendTransaction',
  'getTransaction',
  'getLedgerEntries',
  'getLatestLedger',
  'getLedgers',
  'getNetwork',
] as const;

export type Method = (typeof METHODS)[number];

/** A JSON-RPC answer, as far as behaviours look into it. */
export interface RpcAnswer {
  readonly jsonrpc: '2.0';
  readonly id: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: unknown; readonly message: string };
}

/** What a server sends instead of an ordinary answer. */
export interface RawResponse {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
}

/** One call of a facilitator, in the hands of a behaviour that spoils it. */
export interface SpoiltCall {
  readonly method: Method;
  readonly id: unknown;
  /** How many calls of this method were spoilt before, for the same payment. */
  readonly turn: number;
  readonly random: Random;
  /** What the behaviour keeps between calls for the same payment. */
  readonly memory: Map<string, unknown>;
  /** The call as text, without its id. */
  readonly question: string;
  /** Passes the call on to the sound network. */
  forward(): Promise<RpcAnswer>;
  /** Passes it on later, whether or not anybody waits. */
  forwardLater(milliseconds: number): void;
  answer(answer: object): void;
  respond(response: RawResponse): void;
  /** Sends the first bytes of a response and breaks the connection. */
  truncate(text: string, bytes: number): void;
  /** Sends a response in pieces, with a pause before each. */
  trickle(text: string, pieces: number, milliseconds: number): Promise<void>;
  cut(): void;
}

/** The HTTP side of a call. */
export type CallConnection = Pick<
  SpoiltCall,
  'answer' | 'respond' | 'truncate' | 'trickle' | 'cut'
>;

const JSON_TYPE = 'application/json';

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** @param sent called when an answer was sent */
export function callConnection(
  response: http.ServerResponse,
  sent: () => void = () => undefined,
): CallConnection {
  return {
    answer(answer) {
      response.setHeader('content-type', JSON_TYPE);
      response.end(JSON.stringify(answer), sent);
    },
    respond({ status = 200, type = JSON_TYPE, headers = {}, text }) {
      response.writeHead(status, { 'content-type': type, ...headers });
      response.end(text, sent);
    },
    truncate(text, bytes) {
      response.writeHead(200, {
        'content-type': JSON_TYPE,
        'content-length': Buffer.byteLength(text),
      });
      response.write(text.slice(0, bytes), () => response.socket?.destroy());
    },
    async trickle(text, pieces, milliseconds) {
      response.writeHead(200, { 'content-type': JSON_TYPE });
      const size = Math.ceil(text.length / pieces);
      for (let at = 0; at < text.length; at += size) {
        await pause(milliseconds);
        response.write(text.slice(at, at + size));
      }
      response.end(sent);
    },
    cut: () => void response.socket?.destroy(),
  };
}

/** What a behaviour sent for one call, with the connection of a batch in its place. */
type Sent =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'cut'; readonly text: string }
  | { readonly kind: 'response'; readonly response: RawResponse };

/**
 * Gives each call of a batch a connection of its own, and sends what came of them together: one call whose connection
 * breaks, or that gets no answer, does that to the whole batch.
 */
export class BatchConnection {
  readonly #whole: CallConnection;
  readonly #sent: (Sent | undefined)[];

  constructor(whole: CallConnection, calls: number) {
    this.#whole = whole;
    this.#sent = new Array<Sent | undefined>(calls).fill(undefined);
  }

  /** @param at index of the call in the batch */
  of(at: number): CallConnection {
    const take = (sent: Sent): void => {
      if (this.#sent[at] !== undefined) return;
      this.#sent[at] = sent;
      this.#sendWhenComplete();
    };
    return {
      answer: (answer) => take({ kind: 'answer', text: JSON.stringify(answer) }),
      respond: (response) => take({ kind: 'response', response }),
      truncate: (text, bytes) => take({ kind: 'cut', text: text.slice(0, bytes) }),
      async trickle(text, pieces, milliseconds) {
        await pause(pieces * milliseconds);
        take({ kind: 'answer', text });
      },
      cut: () => take({ kind: 'cut', text: '' }),
    };
  }

  #sendWhenComplete(): void {
    const all = this.#sent.filter((sent) => sent !== undefined);
    if (all.length < this.#sent.length) return;
    const response = all.find((sent) => sent.kind === 'response');
    const broken = all.findIndex((sent) => sent.kind === 'cut');
    const texts = all.map((sent) => (sent.kind === 'response' ? '' : sent.text));
    if (response !== undefined) this.#whole.respond(response.response);
    else if (broken === -1) this.#whole.respond({ text: `[${texts.join()}]` });
    else this.#breakOff(`[${texts.slice(0, broken + 1).join()}`);
  }

  /** Breaks the connection after the answers that came before the break. */
  #breakOff(text: string): void {
    if (text === '[') this.#whole.cut();
    else this.#whole.truncate(text, text.length);
  }
}
