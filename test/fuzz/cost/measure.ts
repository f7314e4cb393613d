import { Agent, request } from 'node:http';
import type { CostService } from './costService.ts';
import type { Figures } from './figures.ts';
import type { Json } from './json.ts';
import { type Rendered, rendered } from './render.ts';
import type { Route, Surface } from './route.ts';

/** What one request cost. */
export interface Cost {
  readonly cpuMs: number;
  readonly loopMs: number;
  readonly answerBytes: number;
  /** How much more memory the process had from the system afterwards. */
  readonly rssBytes: number;
  /** Sockets that were open afterwards and not before. */
  readonly sockets: number;
  /** Rows that were added; -1 where they were not counted. */
  readonly rows: number;
  /** Status of the answer, 0 where none came. */
  readonly status: number;
}

/** No answer may take longer, on a busy machine either. */
const PATIENCE_MS = 30_000;
/** Payments name the latest ledger, which is asked for once in so many requests. */
const LEDGER_EVERY = 100;

/** What several requests cost together, and what each was answered. */
export interface CostTogether {
  readonly cpuMs: number;
  readonly loopMs: number;
  readonly answers: readonly Pick<Cost, 'status' | 'answerBytes'>[];
}

/** Sends inputs and asks what they have cost. */
/** Parts of the service that the network serves. */
const OF_LEDGER: ReadonlySet<Surface> = new Set([
  'RPC',
  'Horizon',
  'friendbot',
  'explorer',
  'archive',
]);

export class Meter {
  readonly service: CostService;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });
  #salt = 0;
  #latestLedger = 1;
  /** Requests that were sent. */
  sent = 0;

  constructor(service: CostService) {
    this.service = service;
  }

  /** @returns `undefined` where the input cannot be sent on this route */
  async cost(route: Route, input: Json, rows = false): Promise<Cost | undefined> {
    const sendable = await this.#render(route, input);
    if (sendable === undefined) return undefined;
    const before = await this.service.figures({ rows });
    const { status, bytes } = await this.#send(route, sendable);
    const after = await this.service.figures({ rows });
    return { ...difference(before, after), status, answerBytes: bytes };
  }

  /**
   * Sends inputs at once: what they cost together is at least what the dearest of them costs.
   * @returns `undefined` where none of them can be sent on this route
   */
  async together(route: Route, inputs: readonly Json[]): Promise<CostTogether | undefined> {
    const sendable: Rendered[] = [];
    for (const input of inputs) {
      const one = await this.#render(route, input);
      if (one !== undefined) sendable.push(one);
    }
    if (sendable.length === 0) return undefined;
    const before = await this.service.figures();
    const sent = await Promise.all(sendable.map((one) => this.#send(route, one)));
    const { cpuMs, loopMs } = difference(before, await this.service.figures());
    const answers = sent.map(({ status, bytes }) => ({ status, answerBytes: bytes }));
    return { cpuMs, loopMs, answers };
  }

  /** Sends an input without measuring it. */
  async send(route: Route, input: Json): Promise<number> {
    const sendable = await this.#render(route, input);
    return sendable === undefined ? 0 : (await this.#send(route, sendable)).status;
  }

  async #render(route: Route, input: Json): Promise<Rendered | undefined> {
    if (this.#salt % LEDGER_EVERY === 0) await this.#readLedger();
    this.#salt += 1;
    const { seller } = this.service.started;
    const salted = { salt: this.#salt, seller, latestLedger: this.#latestLedger };
    return rendered(route, route.pin?.(input) ?? input, salted);
  }

  async #readLedger(): Promise<void> {
    const call = { jsonrpc: '2.0', id: 1, method: 'getLatestLedger' };
    const response = await fetch(`${this.service.started.ledger}/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    });
    const { result } = (await response.json()) as { result: { sequence: number } };
    this.#latestLedger = result.sequence;
  }

  async #send(route: Route, sendable: Rendered): Promise<{ status: number; bytes: number }> {
    this.sent += 1;
    if (sendable.kind === 'tool') {
      const { bytes, refused } = await this.service.callTool(sendable.tool, sendable.input);
      return { status: refused ? 400 : 200, bytes };
    }
    return this.#exchange(this.#base(route), sendable);
  }

  #base({ surface }: Route): string {
    const { started, control } = this.service;
    if (surface === 'control') return control;
    return OF_LEDGER.has(surface) ? started.ledger : started.facilitator;
  }

  #exchange(
    base: string,
    { method, path, type, body }: Rendered & { kind: 'http' },
  ): Promise<{ status: number; bytes: number }> {
    const headers = {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(method === 'GET' ? {} : { 'content-length': Buffer.byteLength(body) }),
    };
    return new Promise((resolve) => {
      const sent = request(base + path, { method, headers, agent: this.#agent }, (response) => {
        let bytes = 0;
        response.on('data', (part: Buffer) => {
          bytes += part.length;
        });
        response.on('error', () => resolve({ status: 0, bytes }));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes }));
      });
      sent.setTimeout(PATIENCE_MS, () => sent.destroy());
      // A body that is too large may be refused before all of it was sent, and the connection ended.
      sent.on('error', () => resolve({ status: 0, bytes: 0 }));
      sent.end(body);
    });
  }
}

function difference(before: Figures, after: Figures): Omit<Cost, 'status' | 'answerBytes'> {
  return {
    cpuMs: after.cpuMs - before.cpuMs,
    loopMs: after.loopMs - before.loopMs,
    rssBytes: Math.max(0, after.rssBytes - before.rssBytes),
    sockets: Math.max(0, after.sockets - before.sockets),
    rows: after.rows < 0 ? -1 : after.rows - before.rows,
  };
}
