import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../helpers/random.ts';
import type { Call, CallMoment } from './steps.ts';

/** Called for each call, so that the harness can kill the instance that made it. */
export type OnCall = (instance: string, call: Call | string, moment: CallMoment) => boolean;

/** How often, of all calls, each fault comes. */
export interface FaultRates {
  /** Never answers; the server has not seen the call. */
  readonly never: number;
  /** Acts, and never answers. */
  readonly hang: number;
  /** Acts, and the connection breaks. */
  readonly lost: number;
  /** The connection breaks before the server has the call. */
  readonly reset: number;
  /** Acts twice on one call, and gives the second answer. */
  readonly twice: number;
  /** Reports a wrong latest ledger. */
  readonly lie: number;
}

export const USUAL_FAULTS: FaultRates = {
  never: 0.001,
  hang: 0.001,
  lost: 0.01,
  reset: 0.01,
  twice: 0.02,
  lie: 0.03,
};

interface RpcCall {
  readonly method: string;
}

export interface ChaosRpc {
  /** Returns an instance's own address, by which its calls are recognised. */
  urlOf(instance: string): string;
  /** Faults met so far, by kind. */
  readonly met: Readonly<Record<keyof FaultRates, number>>;
  calm(): void;
  close(): Promise<void>;
}

async function forward(upstream: string, body: string): Promise<Record<string, unknown>> {
  const response = await fetch(upstream, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return (await response.json()) as Record<string, unknown>;
}

/**
 * Proxies between facilitators and the RPC server of a sound network, and spoils calls at random.
 * @param onCall called at each moment of a call; true says that its process was killed
 */
export async function startChaosRpc(
  upstream: string,
  random: Random,
  rates: FaultRates,
  onCall: OnCall,
): Promise<ChaosRpc> {
  const met = { never: 0, hang: 0, lost: 0, reset: 0, twice: 0, lie: 0 };
  let quiet = false;

  function faultOf(): keyof FaultRates | undefined {
    if (quiet) return undefined;
    let draw = random.next();
    for (const kind of Object.keys(rates) as (keyof FaultRates)[]) {
      draw -= rates[kind];
      if (draw < 0) {
        met[kind]++;
        return kind;
      }
    }
    return undefined;
  }

  function lie(answer: Record<string, unknown>): void {
    const { result } = answer as { result?: Record<string, unknown> };
    if (result === undefined) return;
    const off = random.chance(0.5) ? 1 + random.below(100_000) : -1 - random.below(50);
    for (const member of ['latestLedger', 'sequence']) {
      const value = result[member];
      if (typeof value === 'number') result[member] = Math.max(1, value + off);
    }
  }

  async function serve(
    instance: string,
    body: string,
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    const parsed = JSON.parse(body) as RpcCall | RpcCall[];
    // Calls of a batch share their connection, and with it what happens to it.
    const calls = Array.isArray(parsed) ? parsed : [parsed];
    const dies = (moment: CallMoment): boolean =>
      calls.some(({ method }) => onCall(instance, method, moment));
    if (dies('unsent')) return;
    const fault = faultOf();
    if (fault === 'never') return;
    if (fault === 'reset') return void request.socket.destroy();
    const answers: Record<string, unknown>[] = [];
    for (const call of calls) {
      const text = JSON.stringify(call);
      if (fault === 'twice') await forward(upstream, text);
      answers.push(await forward(upstream, text));
    }
    if (dies('unanswered')) return;
    if (fault === 'hang') return;
    if (fault === 'lost') return void request.socket.destroy();
    if (fault === 'lie') for (const answer of answers) lie(answer);
    response.setHeader('content-type', 'application/json');
    const text = JSON.stringify(Array.isArray(parsed) ? answers : answers[0]);
    response.end(text, () => void dies('answered'));
  }

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const instance = (request.url ?? '/').slice(1);
      serve(instance, Buffer.concat(chunks).toString('utf8'), request, response).catch(() =>
        request.socket.destroy(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (instance) => `http://127.0.0.1:${port}/${instance}`,
    met,
    calm() {
      quiet = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
