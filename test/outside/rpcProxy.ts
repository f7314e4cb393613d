import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../helpers/random.ts';
import type { Attribution } from './attribution.ts';
import {
  BatchConnection,
  type CallConnection,
  callConnection,
  METHODS,
  type Method,
  pause,
  type RpcAnswer,
} from './spoiltCall.ts';
import type { CallMoment, Weather } from './weather.ts';

export interface RpcProxyOptions {
  /** The RPC server of a sound network. */
  readonly upstream: string;
  readonly attribution: Attribution;
  readonly random: Random;
  /** Payments under way, of whose weather calls of the whole process get some. */
  readonly underWay: () => readonly Weather[];
  /** Called where an instance is to be killed. */
  readonly kill: (instance: string) => void;
}

export interface RpcProxy {
  /** Returns an instance's own address, by which its calls are recognised. */
  urlOf(instance: string): string;
  /** From here on every call passes. */
  calm(): void;
  close(): Promise<void>;
}

interface JsonRpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params?: unknown;
}

/** How often a call of the whole process meets the weather of some payment. */
const CLIMATE = 0.3;

function isMethod(name: string): name is Method {
  return (METHODS as readonly string[]).includes(name);
}

/** Proxies between facilitators and an RPC server, and gives the calls of each payment its weather. */
export async function startRpcProxy(options: RpcProxyOptions): Promise<RpcProxy> {
  const { upstream, attribution, random, underWay, kill } = options;
  const agent = new http.Agent({ keepAlive: true });
  const target = new URL(upstream);
  let quiet = false;

  function forward(body: string): Promise<RpcAnswer> {
    return new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      const request = http.request(target, { agent, method: 'POST', headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          try {
            resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')) as RpcAnswer);
          } catch (error) {
            reject(error);
          }
        });
        response.on('error', reject);
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  /** Whose weather a call of the whole process meets. */
  function climate(method: Method): Weather | undefined {
    if (!random.chance(CLIMATE)) return undefined;
    const near = underWay().filter(
      ({ behaviour, isOver }) => !isOver && behaviour.methods.includes(method),
    );
    return near.length === 0 ? undefined : random.pick(near);
  }

  /** @param instance the facilitator that called */
  async function serve(
    instance: string,
    body: string,
    response: http.ServerResponse,
  ): Promise<void> {
    const parsed = JSON.parse(body) as JsonRpcCall | JsonRpcCall[];
    const cut = (): void => void response.socket?.destroy();
    if (!Array.isArray(parsed)) {
      const connect = (sent: () => void): CallConnection => callConnection(response, sent);
      return serveCall(instance, parsed, connect, cut);
    }
    // The instance has the answer to each of its calls once it has the whole batch.
    const received: (() => void)[] = [];
    const whole = callConnection(response, () => {
      for (const sent of received) sent();
    });
    const batch = new BatchConnection(whole, parsed.length);
    await Promise.all(
      parsed.map((call, at) => {
        const connect = (sent: () => void): CallConnection => {
          received.push(sent);
          return batch.of(at);
        };
        return serveCall(instance, call, connect, cut);
      }),
    );
  }

  /** @param cut breaks the connection by which the call came */
  async function serveCall(
    instance: string,
    call: JsonRpcCall,
    connect: (sent: () => void) => CallConnection,
    cut: () => void,
  ): Promise<void> {
    const { method, id, params } = call;
    const body = JSON.stringify(call);
    if (!isMethod(method)) {
      connect(() => undefined).answer(await forward(body));
      return;
    }
    const own = attribution.of(method, params);
    const weather = quiet ? undefined : (own ?? climate(method));
    const dies = (moment: CallMoment): boolean => {
      if (quiet || own === undefined || !own.takeKill(method, moment)) return false;
      kill(instance);
      return true;
    };
    if (dies('unsent')) return;
    const connection = connect(() => void dies('answered'));
    const pass = async (): Promise<RpcAnswer> => {
      const answer = await forward(body);
      // The caller is dead by now, and its connection with it.
      if (dies('unanswered')) cut();
      return answer;
    };
    const turn = weather?.takeTurn(method);
    if (weather === undefined || turn === undefined) {
      connection.answer(await pass());
      return;
    }
    await weather.behaviour.spoil({
      ...connection,
      method,
      id,
      turn,
      random: weather.random,
      memory: weather.memory,
      question: JSON.stringify([method, params]),
      forward: pass,
      forwardLater(milliseconds) {
        void pause(milliseconds)
          .then(() => forward(body))
          .catch(() => undefined);
      },
    });
  }

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const instance = (request.url ?? '/').slice(1);
      serve(instance, Buffer.concat(chunks).toString('utf8'), response).catch(() =>
        request.socket.destroy(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (instance) => `http://127.0.0.1:${port}/${instance}`,
    calm() {
      quiet = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        agent.destroy();
      }),
  };
}
