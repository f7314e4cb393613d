import type { Budget, Route, Surface } from './route.ts';

const KIB = 1_024;
const MIB = 1_024 * KIB;
/** Every answer of RPC and control gives back the call's id, for which a body has room. */
const ID = 512 * KIB;

/**
 * What one request of a route may cost. CPU is that of a machine with one core of 2020 or later; the service and the
 * network that it settles on are one process, as `svc-x402 dev` has them, so that a payment's simulation counts too.
 * `npm run lab -- fuzz --cost` fails where it finds an input that costs more.
 */
function budget(
  cpuMs: number,
  loopMs: number,
  answerBytes: number,
  keptBytes: number,
  rows: number,
): Budget {
  return { cpuMs, loopMs, answerBytes, keptBytes, rows };
}

/** For routes without a row of their own. */
const OF_SURFACE: Readonly<Record<Surface, Budget>> = {
  facilitator: budget(20, 20, 64 * KIB, 32 * KIB, 0),
  discovery: budget(40, 40, 512 * KIB, 32 * KIB, 0),
  policies: budget(40, 40, 256 * KIB, 32 * KIB, 0),
  MCP: budget(100, 100, MIB, 32 * KIB, 0),
  // Bodies have up to 512 KiB of JSON, whose parsing alone takes half of it.
  RPC: budget(50, 50, 256 * KIB + ID, 32 * KIB, 0),
  Horizon: budget(60, 60, MIB, 32 * KIB, 0),
  friendbot: budget(40, 40, 64 * KIB, 64 * KIB, 0),
  explorer: budget(60, 60, MIB, 32 * KIB, 0),
  // The whole state is written and compressed once in a while; between, its files are read.
  archive: budget(60, 60, MIB, 32 * KIB, 0),
  control: budget(50, 50, 4 * MIB, 64 * KIB, 0),
};

/** The table. Each column: CPU and, of it, that of the serving thread; bytes of the answer; bytes and rows kept. */
const OF_ROUTE: Readonly<Record<string, Budget>> = {
  // A simulation on the ledger, which has the channel's and the payer's entries to read.
  'POST /verify': budget(50, 50, 8 * KIB, 32 * KIB, 0),
  // Two simulations, a ledger that closes, and up to 100 ms of the thread for schemas. A listing has options and payers.
  'POST /settle': budget(250, 100, 8 * KIB, 128 * KIB, 16),
  'POST /discovery/validate': budget(200, 40, 64 * KIB, 32 * KIB, 0),
  // A server of its own for the message, beside what it reads of the catalog.
  'POST /mcp': budget(100, 100, MIB, 128 * KIB, 0),
  // Every word is remembered with its vector, up to a bound.
  'GET /discovery/search': budget(60, 60, 512 * KIB, 64 * KIB, 0),
  x402_search_resources: budget(100, 100, MIB, 64 * KIB, 0),
  'GET /openapi.json': budget(20, 20, 256 * KIB, 32 * KIB, 0),
  'GET /metrics': budget(20, 20, 256 * KIB, 32 * KIB, 0),
  // One row a definition, which expires within minutes where no wallet proves it.
  'POST /policies/generate': budget(40, 40, 64 * KIB, 32 * KIB, 1),
  'POST /policies/:id/deploy-instance': budget(150, 150, 64 * KIB, 64 * KIB, 1),
  getEvents: budget(200, 200, 8 * MIB + ID, 32 * KIB, 0),
  getLedgers: budget(100, 100, 4 * MIB + ID, 32 * KIB, 0),
  getLedgerEntries: budget(60, 60, MIB + ID, 32 * KIB, 0),
  // Up to 128 KiB of diagnostic events, which are in the meta and once more by themselves.
  getTransaction: budget(100, 100, 2 * MIB + ID, 32 * KIB, 0),
  getTransactions: budget(100, 100, 4 * MIB + ID, 32 * KIB, 0),
  sendTransaction: budget(60, 60, 64 * KIB + ID, 128 * KIB, 0),
  // As many instructions as a transaction may have, in WebAssembly; what takes longer than a payment, in a thread of its own.
  simulateTransaction: budget(250, 60, 512 * KIB + ID, 32 * KIB, 0),
  // Its calls share one budget of events, bytes and instructions, and let others run every 10 ms.
  batch: budget(1_000, 1_000, 32 * MIB, 64 * KIB, 0),
  // A page of 200 payments with envelope, result and meta; it ends early where there is more text.
  'GET /transactions': budget(100, 100, 4 * MIB, 32 * KIB, 0),
  'GET /operations': budget(100, 100, 4 * MIB, 32 * KIB, 0),
  // As Horizon does, it gives back an envelope that it could not read.
  'POST /transactions': budget(60, 60, MIB, 128 * KIB, 0),
  'POST /transactions_async': budget(60, 60, MIB, 128 * KIB, 0),
  // A simulation, and the explanation of its calls.
  'POST /contract/:id/call': budget(250, 60, MIB, 32 * KIB, 0),
  // Up to 128 KiB of diagnostic events, each of them in words.
  'GET /tx/{hash}/trace': budget(100, 100, 2 * MIB, 32 * KIB, 0),
  // A hundred ledgers are closed, which is what it is for.
  svc_advanceLedgers: budget(100, 100, 4 * KIB + ID, 256 * KIB, 0),
};

/** The budget of a route: its own, or that of its part of the service. */
export function budgetOf({ name, surface }: Route): Budget {
  return OF_ROUTE[name] ?? OF_SURFACE[surface];
}
