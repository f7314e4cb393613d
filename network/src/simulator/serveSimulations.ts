import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import {
  type SimulateInvokeOutcome,
  type StoredEntry,
  WasmSorobanHost,
  type Xdr,
} from '../host/index.ts';
import type { Reading, RunMessage, ThreadData, ThreadMessage } from './messages.ts';

/** Renders the outcome of a simulation on the ledger with this sequence. */
export type RenderOutcome = (
  outcome: SimulateInvokeOutcome,
  sequence: number,
  format: string,
) => string;

let host: WasmSorobanHost | undefined;
/** Number of readings received. */
let received = 0;

/** Another ledger has closed since the run began. */
class Stale extends Error {}

function send(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

/** Blocks this thread until the other one has read the entry. */
function request({ readings, sent }: ThreadData, id: number, key: Xdr): StoredEntry | null {
  send({ kind: 'read', id, key });
  while (Atomics.load(sent, 0) === received) Atomics.wait(sent, 0, received);
  received += 1;
  const message: { message: Reading } | undefined = receiveMessageOnPort(readings);
  const reading = message?.message ?? null;
  if (reading === 'stale') throw new Stale();
  return reading;
}

function hostOf({ protocol, setup }: RunMessage): WasmSorobanHost {
  if (host?.protocol !== protocol) host = new WasmSorobanHost(setup.module);
  // Cheap, compared with the runs that are long enough for this thread.
  host.configure(setup.config);
  return host;
}

const nameOf = (key: Xdr): string => Buffer.from(key).toString('latin1');

function run(data: ThreadData, message: RunMessage, render: RenderOutcome): ThreadMessage {
  const { id, request: asked, known, rendering } = message;
  const entries = new Map(known.map(({ key, stored }) => [nameOf(key), stored]));
  const read = (key: Xdr): StoredEntry | null => {
    const stored = entries.get(nameOf(key));
    return stored === undefined ? request(data, id, key) : stored;
  };
  try {
    const outcome = hostOf(message).simulateInvoke({ ...asked, read });
    const { sequence } = asked.ledger;
    const text = render(outcome, sequence, rendering.format);
    const { cpuInstructions } = outcome;
    const wanted = rendering.withOutcome ? outcome : undefined;
    return { kind: 'done', id, text, sequence, cpuInstructions, outcome: wanted };
  } catch (error) {
    if (error instanceof Stale) return { kind: 'stale', id };
    throw error;
  }
}

/** Runs the simulations that are sent to this thread from now on. */
export function serveSimulations(render: RenderOutcome): void {
  const data: ThreadData = workerData;
  parentPort?.on('message', (message: RunMessage) => send(run(data, message, render)));
  send({ kind: 'ready' });
}
