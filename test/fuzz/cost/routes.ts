import { STELLAR_TESTNET, USDC_CONTRACT } from '../../../src/protocol/index.ts';
import type { Started } from './figures.ts';
import type { Json } from './json.ts';
import type { Route, Sending, Surface } from './route.ts';

const KIB = 1_024;
/** A little more than `/verify`, `/settle` and the others of the service take. */
const SERVICE_BYTES = 33 * KIB;
const RPC_BYTES = 513 * KIB;

type Seeds = readonly Json[];

function route(
  surface: Surface,
  name: string,
  sending: Sending,
  maxBytes: number,
  seeds: Seeds,
): Route {
  return { surface, name, sending, maxBytes, seeds };
}

/** Ledgers that a call is tried with; closing as many as were asked for is what `svc_advanceLedgers` is for. */
const MAX_LEDGERS = 100;

/** Holds a call of JSON-RPC, alone, to its method. */
function pinned(method: string): (input: Json) => Json {
  return (input) => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
    const { params = null } = input;
    if (typeof params !== 'object' || params === null || Array.isArray(params)) {
      return { ...input, method };
    }
    const { count } = params;
    const closes = typeof count === 'number' && count > MAX_LEDGERS;
    return { ...input, method, params: closes ? { ...params, count: MAX_LEDGERS } : params };
  };
}

/** A schema of as many branches, which as many references repeat (S2 of the findings in 0.3.0). */
export function branchingSchema(references: number, branches: number): { [name: string]: Json } {
  return {
    title: '§',
    $defs: {
      d: {
        allOf: Array.from({ length: branches }, (_, n) => ({ properties: { [`p${n}`]: true } })),
        unevaluatedProperties: false,
      },
    },
    allOf: Array.from({ length: references }, () => ({ $ref: '#/$defs/d' })),
    unevaluatedProperties: false,
  };
}

/** What a seller declares of a route, with its schema. */
export function declared(
  schema: Json,
  output: Json = { type: 'json', example: { a: [1, 2, 3] } },
): Json {
  const input = { type: 'http', method: 'GET', queryParams: { city: { type: 'string' } } };
  return { bazaar: { info: { input, output }, schema } };
}

const SCHEMAS: Seeds = [
  { title: '§', type: 'object', properties: { input: { type: 'object' } }, required: ['input'] },
  branchingSchema(3, 20),
  {
    title: '§',
    properties: {
      output: {
        properties: {
          example: {
            allOf: [{ uniqueItems: true, contains: { uniqueItems: true, minItems: 2 } }],
          },
        },
      },
    },
  },
  { title: '§', properties: { output: { properties: { example: { pattern: '^(a|b)*$' } } } } },
];

export function resource(more: { [name: string]: Json } = {}): Json {
  const words = { serviceName: 'Quotes', description: 'A quote of §', tags: ['fx', 'quote'] };
  return { url: 'https://api.§.example/quote', ...words, ...more };
}

export function payment(seller: string, genes: Json, more: { [name: string]: Json } = {}): Json {
  const requirements: Json = {
    scheme: 'exact',
    network: STELLAR_TESTNET,
    asset: USDC_CONTRACT,
    amount: '1000',
    payTo: seller,
    maxTimeoutSeconds: 3_600,
    extra: { areFeesSponsored: true },
  };
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      accepted: requirements,
      payload: { transaction: { '§payment': genes } },
      ...more,
    },
    paymentRequirements: requirements,
  };
}

const GENES: { readonly [name: string]: Json } = {
  entries: 1,
  below: 0,
  bytes: 0,
  operations: 1,
  depth: 0,
  fee: 400_000,
};

function payments(seller: string): Seeds {
  return [
    payment(seller, GENES),
    payment(seller, { ...GENES, fee: 100 }),
    payment(seller, { ...GENES, entries: 12, below: 8 }),
    payment(seller, { ...GENES, bytes: 2_000, depth: 20 }),
    payment(seller, { ...GENES, operations: 10 }),
    ...SCHEMAS.map((schema) =>
      payment(seller, GENES, { resource: resource(), extensions: declared(schema) }),
    ),
  ];
}

function facilitatorRoutes({ seller, transaction }: Started): Route[] {
  const post = (path: string, seeds: Seeds) =>
    route('facilitator', `POST ${path}`, { as: 'json', path }, SERVICE_BYTES, seeds);
  const get = (path: string, parts: readonly string[], query: Json = {}) =>
    route('facilitator', `GET ${path}`, { as: 'query' }, 16 * KIB, [{ path: [...parts], query }]);
  return [
    post('/verify', payments(seller)),
    post('/settle', payments(seller)),
    get('/settlements', ['settlements'], { limit: '100' }),
    get('/settlements/{hash}', ['settlements', transaction]),
    get('/supported', ['supported']),
    get('/health', ['health']),
    get('/metrics', ['metrics']),
    get('/openapi.json', ['openapi.json']),
    get('other', ['nowhere', 'at', 'all'], { a: '1' }),
  ];
}

function discoveryRoutes({ seller, operatorToken }: Started): Route[] {
  const get = (name: string, seeds: Seeds) =>
    route('discovery', `GET /discovery/${name}`, { as: 'query' }, 16 * KIB, seeds);
  const filters: Json = {
    type: 'http',
    payTo: seller,
    scheme: 'exact',
    network: STELLAR_TESTNET,
    extensions: ['bazaar', 'bazaar'],
    asset: USDC_CONTRACT,
    minAmount: '1',
    maxAmount: '9000000',
    urlSubstring: 'quote',
    minSettlements: '1',
    limit: '100',
    offset: '400',
    order: 'trusted',
  };
  const all = (name: string) => [
    { path: ['discovery', name], query: filters },
    { path: ['discovery', name], query: { limit: '100', payTo: seller } },
    { path: ['discovery', name], query: { limit: '100', offset: '100' } },
    { path: ['discovery', name], query: { urlSubstring: '%_%', limit: '1' } },
  ];
  const search = (query: string): Json => ({
    path: ['discovery', 'search'],
    query: { query, limit: '100' },
  });
  return [
    get('resources', all('resources')),
    get('search', [
      search('weather §'),
      search('weather prices maps news number service tag §'),
      search('ﬃ\ufdfa İstanbul §'),
    ]),
    get('merchant', all('merchant')),
    get('facets', all('facets')),
    get('feed.json', all('feed.json')),
    get('openapi.json', [
      ...all('openapi.json'),
      { path: ['discovery', 'openapi.json'], query: { origin: 'https://api.§.example' } },
    ]),
    route('discovery', 'GET /catalog', { as: 'query' }, 16 * KIB, [
      { path: ['catalog'], query: { q: 'a' } },
    ]),
    route(
      'discovery',
      'POST /discovery/validate',
      { as: 'json', path: '/discovery/validate' },
      SERVICE_BYTES,
      [
        { url: 'https://api.§.example/quote' },
        ...SCHEMAS.map((schema) => ({ resource: resource(), extensions: declared(schema) })),
        {
          resource: resource({ url: 'https://api.§.example/:a/:b' }),
          extensions: {},
          payTo: seller,
        },
      ],
    ),
    route('discovery', 'GET /.well-known/x402', { as: 'query' }, 16 * KIB, [
      { path: ['.well-known', 'x402'], query: { q: 'a' } },
    ]),
    route('discovery', 'POST /mcp', { as: 'json', path: '/mcp' }, SERVICE_BYTES, [
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'x402_search_resources', arguments: { query: 'weather §' } },
      },
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'x402_list_resources', arguments: { limit: 100, network: '§' } },
      },
    ]),
    route(
      'discovery',
      'POST /operator/catalog',
      { as: 'json', path: '/operator/catalog' },
      SERVICE_BYTES,
      [
        { action: 'delist', target: 'https://nobody.example', reason: '§' },
        { action: 'rules', target: operatorToken.slice(0, 3), reason: '' },
      ],
    ),
  ];
}

function policyRoutes({ wallet, policy, payer, seller, transaction }: Started): Route[] {
  const post = (path: string, seeds: Seeds) =>
    route('policies', `POST ${path}`, { as: 'json', path }, SERVICE_BYTES, seeds);
  const named = (path: string, sent: string, seeds: Seeds) =>
    route('policies', `POST ${path}`, { as: 'json', path: sent }, SERVICE_BYTES, seeds);
  const limit = (daily: Json) => ({
    version: '1',
    type: 'spending_limit',
    owners: [wallet],
    spendingLimits: daily,
  });
  const definitions: Seeds = [
    limit({ dailyXlm: '1§' }),
    limit({ daily: [{ asset: USDC_CONTRACT, amount: '1§.5' }] }),
    { version: '1', type: 'verified_only', owners: [wallet], registry: USDC_CONTRACT },
    {
      version: '1',
      type: 'multisig',
      owners: [wallet],
      signer: payer,
      contracts: [USDC_CONTRACT],
      coSigners: [seller],
    },
    {
      version: '1',
      type: 'allow_list',
      owners: [wallet],
      signer: payer,
      contracts: [USDC_CONTRACT],
    },
  ];
  return [
    route('policies', 'GET /policies/templates', { as: 'query' }, 16 * KIB, [
      { path: ['policies', 'templates'], query: {} },
    ]),
    post('/policies/validate', definitions),
    post('/policies/generate', definitions),
    named('/policies/:id/simulate', `/policies/${policy}/simulate`, [{}]),
    named('/policies/:id/deploy-instance', `/policies/${policy}/deploy-instance`, [
      {},
      { proof: { '§payment': GENES } },
    ]),
    post('/policies/deploy', [{ id: policy, attachTxHash: transaction }]),
    route('policies', 'GET /policies/wallets/:id', { as: 'query' }, 16 * KIB, [
      { path: ['policies', 'wallets', wallet], query: { limit: '100', offset: '0' } },
    ]),
    route('policies', 'POST /passkeys', { as: 'json', path: '/passkeys' }, SERVICE_BYTES, [
      { token: 'AAAA', kind: 'create' },
    ]),
  ];
}

function mcpRoutes({ seller }: Started): Route[] {
  const tool = (name: string, seeds: Seeds) =>
    route('MCP', name, { as: 'tool', tool: name }, 64 * KIB, seeds);
  return [
    tool('x402_list_resources', [
      { limit: 100, offset: 0 },
      { limit: 100, payTo: seller, type: 'http', network: STELLAR_TESTNET },
    ]),
    tool('x402_search_resources', [
      { query: 'weather §', limit: 100 },
      { query: 'prices maps news §', limit: 100, type: 'http' },
    ]),
  ];
}

function rpcRoutes(started: Started): Route[] {
  const { transaction, envelope, entryKey, spin, loud, loudTransaction } = started;
  const call = (method: string, params: Json): Json => ({
    jsonrpc: '2.0',
    id: '§',
    method,
    params,
  });
  const events: Json = {
    startLedger: 2,
    filters: [{ type: 'contract', topics: [['*', '**']] }],
    pagination: { limit: 10_000 },
  };
  const calls: Readonly<Record<string, Seeds>> = {
    getEvents: [events, { ...events, xdrFormat: 'json' }],
    getFeeStats: [{}],
    getHealth: [{}],
    getLatestLedger: [{}],
    getLedgerEntries: [
      { keys: Array.from({ length: 200 }, () => entryKey), xdrFormat: 'json' },
      { keys: [entryKey] },
    ],
    getLedgers: [
      { startLedger: 2, pagination: { limit: 200 } },
      { startLedger: 2, pagination: { limit: 200 }, xdrFormat: 'json' },
    ],
    getNetwork: [{}],
    getTransaction: [transaction, loudTransaction].flatMap((hash) => [
      { hash },
      { hash, xdrFormat: 'json' },
    ]),
    getTransactions: [
      { startLedger: 2, pagination: { limit: 200 } },
      { startLedger: 2, pagination: { limit: 200 }, xdrFormat: 'json' },
    ],
    getVersionInfo: [{}],
    sendTransaction: [{ transaction: envelope }, { transaction: { '§payment': GENES } }],
    simulateTransaction: [
      { transaction: { '§payment': GENES } },
      { transaction: { '§payment': { ...GENES, entries: 20, below: 20 } }, xdrFormat: 'json' },
      { transaction: spin },
      ...loud.flatMap((one) => [{ transaction: one }, { transaction: one, xdrFormat: 'json' }]),
      { transaction: envelope, resourceConfig: { instructionLeeway: 1_000_000 } },
    ],
  };
  const one = Object.entries(calls).map(([method, seeds]) => ({
    ...route(
      'RPC',
      method,
      { as: 'json', path: '/rpc' },
      RPC_BYTES,
      seeds.map((params) => call(method, params)),
    ),
    pin: pinned(method),
  }));
  const batch = (params: Json, method: string) =>
    Array.from({ length: 100 }, () => call(method, params));
  const batches = Object.entries(calls).flatMap(([method, seeds]) =>
    seeds.map((params) => batch(params, method)),
  );
  return [
    ...one,
    route('RPC', 'batch', { as: 'json', path: '/rpc' }, RPC_BYTES, batches),
    // Methods that do not exist, and malformed messages.
    route('RPC', 'other', { as: 'json', path: '/' }, RPC_BYTES, [call('nothing', {}), [], 'text']),
  ];
}

function horizonRoutes({ payer, seller, transaction, envelope }: Started): Route[] {
  const routes: Readonly<Record<string, Seeds>> = {
    '/accounts': [
      { path: ['accounts'], query: { signer: payer, limit: '200' } },
      { path: ['accounts', payer], query: {} },
      { path: ['accounts', payer, 'data', 'name'], query: {} },
    ],
    '/ledgers': [
      { path: ['ledgers'], query: { limit: '200', order: 'desc' } },
      { path: ['ledgers', '3'], query: {} },
    ],
    '/transactions': [
      { path: ['transactions'], query: { limit: '200', order: 'desc', include_failed: 'true' } },
      { path: ['transactions', transaction], query: {} },
      { path: ['accounts', payer, 'transactions'], query: { limit: '200' } },
    ],
    '/operations': [
      { path: ['operations'], query: { limit: '200', order: 'desc', join: 'transactions' } },
      { path: ['accounts', payer, 'payments'], query: { limit: '200', join: 'transactions' } },
      { path: ['transactions', transaction, 'operations'], query: {} },
    ],
    '/effects': [
      { path: ['effects'], query: { limit: '200', order: 'desc' } },
      { path: ['accounts', seller, 'effects'], query: { limit: '200' } },
    ],
    '/paths': [
      {
        path: ['paths', 'strict-send'],
        query: {
          source_asset_type: 'native',
          source_amount: '10',
          destination_account: seller,
        },
      },
      {
        path: ['paths', 'strict-receive'],
        query: {
          source_account: payer,
          destination_asset_type: 'native',
          destination_amount: '10',
        },
      },
    ],
    '/order_book': [
      {
        path: ['order_book'],
        query: { selling_asset_type: 'native', buying_asset_type: 'native', limit: '200' },
      },
    ],
    '/offers': [{ path: ['offers'], query: { seller: payer, limit: '200' } }],
    '/trades': [
      { path: ['trades'], query: { limit: '200', trade_type: 'all' } },
      { path: ['accounts', payer, 'trades'], query: { limit: '200' } },
    ],
    '/trade_aggregations': [
      {
        path: ['trade_aggregations'],
        query: {
          base_asset_type: 'native',
          counter_asset_type: 'native',
          resolution: '60000',
          start_time: '0',
          end_time: '9999999999999',
          limit: '200',
        },
      },
    ],
    '/assets': [{ path: ['assets'], query: { asset_code: 'USDC', limit: '200' } }],
    '/claimable_balances': [{ path: ['claimable_balances'], query: { claimant: payer } }],
    '/liquidity_pools': [{ path: ['liquidity_pools'], query: { account: payer, limit: '200' } }],
    '/fee_stats': [{ path: ['fee_stats'], query: {} }],
    other: [{ path: ['nothing'], query: {} }],
  };
  const gets = Object.entries(routes).map(([name, seeds]) =>
    route('Horizon', `GET ${name}`, { as: 'query' }, 16 * KIB, seeds),
  );
  const forms = ['transactions', 'transactions_async'].map((name) =>
    route('Horizon', `POST /${name}`, { as: 'form' }, RPC_BYTES, [
      { path: [name], query: {}, form: { tx: envelope } },
      { path: [name], query: {}, form: { tx: { '§payment': GENES } } },
    ]),
  );
  return [...gets, ...forms];
}

/** What the page reads beside Horizon and RPC. */
function explorerRoutes(started: Started): Route[] {
  const { wallet, payer, seller, transaction, loudTransaction } = started;
  const get = (name: string, seeds: Seeds) =>
    route('explorer', `GET ${name}`, { as: 'query' }, 16 * KIB, seeds);
  const hashes = Array.from({ length: 120 }, () => transaction).join(',');
  const path = `/contract/${USDC_CONTRACT}/call`;
  const call = (name: string, values: Json, source = payer): Json => ({
    function: name,
    arguments: values,
    source,
  });
  return [
    get(
      '/tx/{hash}/trace',
      [transaction, loudTransaction].map((hash) => ({ path: ['tx', hash, 'trace'], query: {} })),
    ),
    get(
      '/tx/{hash}/flame.svg',
      [transaction, loudTransaction].map((hash) => ({
        path: ['tx', hash, 'flame.svg'],
        query: {},
      })),
    ),
    get('/explorer/words', [
      { path: ['explorer', 'words'], query: { tx: hashes } },
      { path: ['explorer', 'words'], query: { tx: loudTransaction } },
    ]),
    get(
      '/explorer/search',
      [payer, USDC_CONTRACT, transaction, '7', 'USDC', '§'].map((wanted) => ({
        path: ['explorer', 'search'],
        query: { for: wanted },
      })),
    ),
    get(
      '/contract/:id/interface',
      [USDC_CONTRACT, wallet].map((id) => ({ path: ['contract', id, 'interface'], query: {} })),
    ),
    get(
      '/contract/:id/storage',
      [USDC_CONTRACT, wallet].map((id) => ({
        path: ['contract', id, 'storage'],
        query: { cursor: '§' },
      })),
    ),
    route('explorer', 'POST /contract/:id/call', { as: 'json', path }, 129 * KIB, [
      call('balance', [payer]),
      call('transfer', [payer, seller, '1§']),
      call('approve', [payer, seller, '1', '1000'], seller),
      call(
        'nothing§',
        Array.from({ length: 50 }, () => '["a","b"]'),
      ),
    ]),
  ];
}

function archiveRoutes(): Route[] {
  return [
    route('archive', 'GET /archive', { as: 'query' }, 16 * KIB, [
      { path: ['archive', '.well-known', 'stellar-history.json'], query: {} },
      { path: ['archive', 'history', '00', '00', '00', 'history-0000003f.json'], query: {} },
      { path: ['archive', 'ledger', '00', '00', '00', 'ledger-0000003f.xdr.gz'], query: {} },
      {
        path: ['archive', 'bucket', '00', '00', '00', `bucket-${'0'.repeat(64)}.xdr.gz`],
        query: {},
      },
    ]),
  ];
}

function friendbotRoutes({ payer }: Started): Route[] {
  return [
    route('friendbot', 'GET /friendbot', { as: 'query' }, 16 * KIB, [
      { path: ['friendbot'], query: { addr: payer } },
      { path: ['friendbot'], query: { addr: { '§account': 1 } } },
      { path: ['friendbot'], query: { addr: '§' } },
    ]),
    route('friendbot', 'POST /friendbot', { as: 'form' }, RPC_BYTES, [
      { path: ['friendbot'], query: {}, form: { addr: { '§account': 1 } } },
      { path: ['friendbot'], query: {}, form: { addr: payer } },
    ]),
  ];
}

function controlRoutes({ payer, entryKey }: Started): Route[] {
  const calls: Readonly<Record<string, Seeds>> = {
    svc_advanceLedgers: [{ count: 100 }],
    svc_advanceTime: [{ seconds: 100 }],
    svc_closeLedger: [{}],
    svc_dumpState: [{}],
    svc_loadState: [{ passphrase: 'other', state: 'AAAA' }],
    svc_setEntry: [{ remove: entryKey }, { entry: entryKey, liveUntilLedger: 100 }],
    svc_setBalance: [{ account: payer, asset: 'native', amount: '10' }],
    svc_snapshot: [{}],
    svc_impersonate: [{ account: payer, on: true }],
    svc_autoImpersonate: [{ on: true }, { on: false }],
    svc_injectFault: [{ method: 'getHealth', kind: 'late', times: 1, milliseconds: 1 }],
    svc_clearFaults: [{}],
  };
  return Object.entries(calls).map(([method, seeds]) => ({
    ...route(
      'control',
      method,
      { as: 'json', path: '/control' },
      RPC_BYTES,
      seeds.map((params) => ({ jsonrpc: '2.0', id: 1, method, params })),
    ),
    pin: pinned(method),
  }));
}

/** Every route that a stranger, or a program of this machine, can ask. */
export function routesOf(started: Started): readonly Route[] {
  return [
    facilitatorRoutes,
    discoveryRoutes,
    policyRoutes,
    mcpRoutes,
    rpcRoutes,
    horizonRoutes,
    friendbotRoutes,
    explorerRoutes,
    archiveRoutes,
    controlRoutes,
  ].flatMap((make) => make(started));
}
