import { type Context, Hono } from 'hono';
import { decodeStrKey } from '../../../../common/strKey.ts';
import type { LedgerService } from '../../close/index.ts';
import { ArgumentError } from '../../explorer/argumentValue.ts';
import { type CallingNetwork, prepareCall } from '../../explorer/contractCall.ts';
import { contractPage } from '../../explorer/contractPage.ts';
import { storagePage } from '../../explorer/contractStorage.ts';
import { searchPlaces } from '../../explorer/searchPlaces.ts';
import { transactionWords } from '../../explorer/transactionWords.ts';
import { StateIndexes } from '../../horizon/index.ts';
import { RpcError } from '../../rpc/index.ts';
import type { AddressNames } from '../../trace/index.ts';
import { flameGraph, traceTransaction } from '../../trace/index.ts';

/** The network that the page reads besides Horizon and RPC. */
export interface ExploredNetwork extends Omit<CallingNetwork, 'engine'> {
  readonly service: LedgerService;
  /** Names of contracts, by address. */
  readonly contracts: AddressNames;
}

/** Maximum size of a filled-in call in bytes. */
const MAX_CALL = 128 << 10;

/** Maximum length of a list of hashes in characters. */
const MAX_HASHES = 8_000;

const HASH = /^[0-9a-f]{64}$/;

/**
 * The data that the page needs beyond Horizon and RPC, as JSON. The routes only read, and the cost of each is bounded. Pages
 * are not allowed to use the control methods, which can do more.
 */
export function explorerRoutes(network: ExploredNetwork): Hono {
  const { service, names, contracts, prefetch } = network;
  const indexes = new StateIndexes(() => service.engine.state);
  const app = new Hono();

  const traceOf = (context: Context) => {
    const hash = (context.req.param('hash') ?? '').toLowerCase();
    const found = HASH.test(hash) ? service.history.transaction(hash) : undefined;
    return found && traceTransaction(found, service.engine, names);
  };
  app.get('/tx/:hash/trace', (context) => {
    const trace = traceOf(context);
    return trace === undefined ? missing(context, NO_TRANSACTION) : answer(context, trace);
  });
  app.get('/tx/:hash/flame.svg', (context) => {
    const trace = traceOf(context);
    const svg = trace && flameGraph(`Transaction ${trace.hash}`, trace);
    if (svg === undefined) return missing(context, 'The cost of calls is not known.');
    // Opened on its own, this document cannot run or load anything.
    return context.body(svg, 200, {
      ...HEADERS,
      'Content-Type': 'image/svg+xml',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    });
  });
  app.get('/explorer/words', (context) => {
    const hashes = (context.req.query('tx') ?? '').slice(0, MAX_HASHES).split(',');
    const known = hashes.filter((hash) => HASH.test(hash));
    return answer(context, transactionWords(service, known, names));
  });
  app.get('/explorer/search', (context) => {
    const { networkId, state } = service.engine;
    const wanted = context.req.query('for') ?? '';
    const places = searchPlaces({ networkId, state, indexes, names, contracts }, wanted);
    return answer(context, { places });
  });
  app.get('/contract/:id/interface', async (context) => {
    const id = context.req.param('id');
    const read = () => contractPage(service.engine.state, id);
    await prefetch((watch) => {
      watch(read);
    });
    const page = read();
    return page === undefined ? missing(context, NO_CONTRACT) : answer(context, page);
  });
  app.get('/contract/:id/storage', (context) => {
    const id = decodeStrKey('contract', context.req.param('id'));
    if (id === undefined) return missing(context, NO_CONTRACT);
    const { state } = service.engine;
    return answer(context, storagePage(state, indexes, id, context.req.query('cursor')));
  });
  app.post('/contract/:id/call', async (context) => {
    // Only for JSON does a browser send a preflight request first.
    if (!/^application\/json\b/i.test(context.req.header('content-type') ?? '')) {
      return refused(context, 'Content-Type must be application/json');
    }
    const text = await context.req.text();
    if (text.length > MAX_CALL) return refused(context, 'The call is too large');
    try {
      const asked: unknown = JSON.parse(text);
      const calling = { ...network, engine: service.engine };
      return answer(context, await prepareCall(calling, context.req.param('id'), asked));
    } catch (error) {
      if (error instanceof SyntaxError) return refused(context, 'The body is not JSON');
      if (error instanceof ArgumentError || error instanceof RpcError) {
        return refused(context, error.message);
      }
      throw error;
    }
  });
  return app;
}

const NO_TRANSACTION = 'No stored ledger has this transaction.';
const NO_CONTRACT = 'This contract does not exist.';

const HEADERS = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' } as const;

function answer(context: Context, value: object): Response {
  return context.json(value, 200, HEADERS);
}

function missing(context: Context, error: string): Response {
  return context.json({ error }, 404, HEADERS);
}

function refused(context: Context, error: string): Response {
  return context.json({ error }, 400, HEADERS);
}
