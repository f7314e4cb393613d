import { METHODS, type Method, pause, type RpcAnswer, type SpoiltCall } from './spoiltCall.ts';

/** A way in which an RPC server, or what is before it, misbehaves. */
export interface Behaviour {
  readonly name: string;
  readonly methods: readonly Method[];
  /** Calls of each method that are spoilt for one payment; without it all, as long as the weather lasts. */
  readonly most?: number;
  readonly spoil: (call: SpoiltCall) => void | Promise<void>;
}

const SIMULATE: readonly Method[] = ['simulateTransaction'];
const SEND: readonly Method[] = ['sendTransaction'];
const LOOK: readonly Method[] = ['getTransaction'];
const ENTRIES: readonly Method[] = ['getLedgerEntries'];
const READS: readonly Method[] = METHODS.filter((method) => method !== 'sendTransaction');

const FAR_AHEAD = 100_000;
/** TransactionResult with feeCharged 0 and the code txBAD_SEQ, txINSUFFICIENT_BALANCE, txTOO_LATE. */
const RESULTS = {
  badSequence: resultXdr(-5),
  insufficientBalance: resultXdr(-7),
  tooLate: resultXdr(-3),
} as const;

function resultXdr(code: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeInt32BE(code, 8);
  return bytes.toString('base64');
}

/** A fee bump whose inner transaction failed or succeeded, with no operation in it: 100 stroops. */
function feeBumpResult(succeeded: boolean): string {
  const bytes = Buffer.alloc(8 + 4 + 32 + 8 + 4 + 4 + 4 + 4);
  bytes.writeBigInt64BE(100n, 0);
  bytes.writeInt32BE(succeeded ? 1 : -13, 8);
  bytes.writeBigInt64BE(100n, 44);
  bytes.writeInt32BE(succeeded ? 0 : -1, 52);
  return bytes.toString('base64');
}

// What a behaviour is made of.

type Spoil = Behaviour['spoil'];

/** Answers late: the call is passed on after a while. */
const late =
  (least: number, most: number): Spoil =>
  async (call) => {
    await pause(least + call.random.below(most - least));
    call.answer(await call.forward());
  };

/** The server has it, and does not answer. */
const stall: Spoil = async (call) => {
  await call.forward();
};

/** The server never has it, and the connection stays open. */
const swallow: Spoil = () => undefined;

const resetBefore: Spoil = (call) => call.cut();

const resetAfter: Spoil = async (call) => {
  await call.forward();
  call.cut();
};

/** Passes the call on, and sends the answer with its result changed. */
const changed =
  (change: (result: Record<string, unknown>, call: SpoiltCall) => Record<string, unknown>): Spoil =>
  async (call) => {
    const answer = await call.forward();
    const { result } = answer;
    call.answer(result === undefined ? answer : { ...answer, result: change(result, call) });
  };

/** Answers with a result of its own, without calling the server. */
const invented =
  (result: (call: SpoiltCall) => unknown): Spoil =>
  (call) =>
    call.answer({ jsonrpc: '2.0', id: call.id, result: result(call) });

/** The server has it, but the answer is another one. */
const afterTaking =
  (then: (call: SpoiltCall, answer: RpcAnswer) => void): Spoil =>
  async (call) =>
    then(call, await call.forward());

const status =
  (code: number, text = 'try later', type = 'text/plain') =>
  (call: SpoiltCall): void =>
    call.respond({ status: code, type, text });

const rpcError =
  (code: unknown, message = 'no') =>
  (call: SpoiltCall): void =>
    call.answer({ jsonrpc: '2.0', id: call.id, error: { code, message } });

/** A refusal by `sendTransaction` of what the server may have. */
const refused =
  (statusOf: 'TRY_AGAIN_LATER' | 'ERROR', errorResultXdr?: string) =>
  (call: SpoiltCall, answer?: RpcAnswer): void =>
    call.answer({
      jsonrpc: '2.0',
      id: call.id,
      result: {
        hash: '0'.repeat(64),
        latestLedger: 1,
        latestLedgerCloseTime: '0',
        ...answer?.result,
        status: statusOf,
        ...(errorResultXdr === undefined ? {} : { errorResultXdr }),
      },
    });

const truncated =
  (share: number): Spoil =>
  async (call) => {
    const text = JSON.stringify(await call.forward());
    call.truncate(text, Math.floor(text.length * share));
  };

/** Latest ledger of a result, and of the members that say the same. */
const ledgersOff = (by: (ledger: number) => unknown): Spoil =>
  changed((result) =>
    Object.fromEntries(
      Object.entries(result).map(([name, value]) =>
        (name === 'latestLedger' || name === 'sequence') && typeof value === 'number'
          ? [name, by(value)]
          : [name, value],
      ),
    ),
  );

/** Always `NOT_FOUND`, with these members changed. */
const notFound = (
  change: (latest: number, oldest: number) => { latestLedger?: number; oldestLedger?: number },
): Spoil =>
  changed(({ latestLedger, oldestLedger, latestLedgerCloseTime }) => ({
    status: 'NOT_FOUND',
    latestLedger,
    latestLedgerCloseTime,
    oldestLedger,
    ...change(Number(latestLedger), Number(oldestLedger)),
  }));

const found = (succeeded: boolean): Spoil =>
  changed((result) => ({
    ...result,
    status: succeeded ? 'SUCCESS' : 'FAILED',
    ledger: Number(result['latestLedger']) - 1,
    resultXdr: feeBumpResult(succeeded),
  }));

/** The first answer to a question again and again, as a cache does. */
const cached: Spoil = async (call) => {
  const known = call.memory.get(call.question);
  const answer = known ?? (await call.forward());
  call.memory.set(call.question, answer);
  call.answer({ ...(answer as RpcAnswer), id: call.id });
};

const twice: Spoil = async (call) => {
  await call.forward();
  call.answer(await call.forward());
};

const HTML = '<html><body><h1>502 Bad Gateway</h1></body></html>';

/** Every behaviour, by a name of its own. */
export const BEHAVIOURS: readonly Behaviour[] = [
  // Nothing is wrong: what the others are compared with.
  { name: 'fair', methods: [], spoil: () => undefined },

  // Slow.
  { name: 'slow: every call', methods: METHODS, spoil: late(100, 700) },
  { name: 'slow: simulate', methods: SIMULATE, spoil: late(1_000, 4_000) },
  { name: 'slow: send', methods: SEND, spoil: late(1_000, 5_000) },
  { name: 'slow: look up', methods: LOOK, spoil: late(500, 4_000) },
  { name: 'slow: entries', methods: ENTRIES, spoil: late(1_000, 4_000) },
  {
    name: 'slow: an answer in pieces',
    methods: METHODS,
    most: 2,
    spoil: async (call) => call.trickle(JSON.stringify(await call.forward()), 12, 150),
  },

  // Stalled, stopped, swallowed.
  { name: 'stalled: simulate', methods: SIMULATE, most: 1, spoil: stall },
  { name: 'stalled: send, taken', methods: SEND, most: 2, spoil: stall },
  { name: 'stalled: look up', methods: LOOK, most: 1, spoil: stall },
  { name: 'stalled: entries', methods: ENTRIES, most: 1, spoil: stall },
  { name: 'swallowed: send', methods: SEND, most: 2, spoil: swallow },
  { name: 'swallowed: look up', methods: LOOK, most: 1, spoil: swallow },
  { name: 'stopped: every call', methods: METHODS, spoil: resetBefore },
  {
    name: 'stopped after the submission',
    methods: [...LOOK, ...ENTRIES],
    spoil: resetBefore,
  },

  // Reset.
  { name: 'reset: simulate', methods: SIMULATE, most: 2, spoil: resetAfter },
  { name: 'reset before send', methods: SEND, most: 2, spoil: resetBefore },
  { name: 'reset after send, once', methods: SEND, most: 1, spoil: resetAfter },
  { name: 'reset after send, each time', methods: SEND, spoil: resetAfter },
  { name: 'reset: look up', methods: LOOK, most: 3, spoil: resetBefore },
  { name: 'reset: entries', methods: ENTRIES, most: 2, spoil: resetBefore },

  // Delivered more than once, or late.
  { name: 'twice: send, second answer', methods: SEND, spoil: twice },
  { name: 'twice: every call', methods: METHODS, spoil: twice },
  {
    name: 'twice: send, again after a while',
    methods: SEND,
    spoil: async (call) => {
      call.answer(await call.forward());
      call.forwardLater(1_000 + call.random.below(5_000));
    },
  },
  {
    name: 'late: reset, and delivered after a while',
    methods: SEND,
    most: 1,
    spoil: (call) => {
      call.forwardLater(500 + call.random.below(7_000));
      call.cut();
    },
  },
  {
    name: 'late: TRY_AGAIN_LATER, and delivered after a while',
    methods: SEND,
    most: 2,
    spoil: (call) => {
      call.forwardLater(500 + call.random.below(7_000));
      refused('TRY_AGAIN_LATER')(call);
    },
  },
  {
    name: 'late: ERROR, and delivered after a while',
    methods: SEND,
    most: 1,
    spoil: (call) => {
      call.forwardLater(500 + call.random.below(7_000));
      refused('ERROR', RESULTS.insufficientBalance)(call);
    },
  },
  {
    name: 'late: -32602, and delivered after a while',
    methods: SEND,
    most: 1,
    spoil: (call) => {
      call.forwardLater(500 + call.random.below(7_000));
      rpcError(-32_602)(call);
    },
  },

  // Truncated and empty bodies.
  { name: 'truncated: simulate', methods: SIMULATE, most: 2, spoil: truncated(0.5) },
  { name: 'truncated: send', methods: SEND, most: 2, spoil: truncated(0.7) },
  { name: 'truncated: look up', methods: LOOK, most: 2, spoil: truncated(0.3) },
  { name: 'truncated: entries', methods: ENTRIES, most: 2, spoil: truncated(0.9) },
  {
    name: 'empty: send, taken',
    methods: SEND,
    most: 2,
    spoil: afterTaking((call) => call.respond({ text: '' })),
  },
  { name: 'empty: reads', methods: READS, most: 2, spoil: (call) => call.respond({ text: '' }) },

  // Refusing after accepting.
  { name: 'taken, then 429', methods: SEND, most: 2, spoil: afterTaking(status(429)) },
  { name: 'taken, then 500', methods: SEND, most: 2, spoil: afterTaking(status(500)) },
  {
    name: 'taken, then 502 with a page',
    methods: SEND,
    most: 2,
    spoil: afterTaking(status(502, HTML, 'text/html')),
  },
  { name: 'taken, then 503', methods: SEND, most: 2, spoil: afterTaking(status(503)) },
  {
    name: 'taken, then TRY_AGAIN_LATER',
    methods: SEND,
    most: 2,
    spoil: afterTaking(refused('TRY_AGAIN_LATER')),
  },
  {
    name: 'taken, then ERROR txBAD_SEQ',
    methods: SEND,
    most: 2,
    spoil: afterTaking(refused('ERROR', RESULTS.badSequence)),
  },
  {
    name: 'taken, then ERROR txINSUFFICIENT_BALANCE',
    methods: SEND,
    most: 1,
    spoil: afterTaking(refused('ERROR', RESULTS.insufficientBalance)),
  },
  {
    name: 'taken, then ERROR txTOO_LATE',
    methods: SEND,
    most: 1,
    spoil: afterTaking(refused('ERROR', RESULTS.tooLate)),
  },
  { name: 'taken, then ERROR alone', methods: SEND, most: 1, spoil: afterTaking(refused('ERROR')) },
  { name: 'taken, then -32600', methods: SEND, most: 1, spoil: afterTaking(rpcError(-32_600)) },
  { name: 'taken, then -32601', methods: SEND, most: 1, spoil: afterTaking(rpcError(-32_601)) },
  { name: 'taken, then -32602', methods: SEND, most: 1, spoil: afterTaking(rpcError(-32_602)) },
  { name: 'taken, then -32603', methods: SEND, most: 1, spoil: afterTaking(rpcError(-32_603)) },
  {
    name: 'taken, then an error without a number',
    methods: SEND,
    most: 1,
    spoil: afterTaking(rpcError('busy')),
  },

  // Refusing before.
  { name: 'refused: 429 to each call', methods: METHODS, spoil: status(429) },
  { name: 'refused: 503 to reads', methods: READS, most: 3, spoil: status(503) },
  {
    name: 'refused: TRY_AGAIN_LATER, not taken',
    methods: SEND,
    spoil: refused('TRY_AGAIN_LATER'),
  },
  {
    name: 'refused: ERROR txBAD_SEQ, not taken',
    methods: SEND,
    most: 1,
    spoil: refused('ERROR', RESULTS.badSequence),
  },

  // Lying about submissions.
  {
    name: 'lie: PENDING, not taken',
    methods: SEND,
    most: 1,
    spoil: invented(() => ({ status: 'PENDING', hash: '0'.repeat(64), latestLedger: 1 })),
  },
  {
    name: 'lie: DUPLICATE, not taken',
    methods: SEND,
    most: 1,
    spoil: invented(() => ({ status: 'DUPLICATE', hash: '0'.repeat(64), latestLedger: 1 })),
  },
  {
    name: 'lie: another hash',
    methods: SEND,
    spoil: changed((result) => ({ ...result, hash: 'ab'.repeat(32) })),
  },
  {
    name: 'lie: an unknown status',
    methods: SEND,
    most: 1,
    spoil: changed((result) => ({ ...result, status: 'ACCEPTED' })),
  },

  // Lying about outcomes.
  { name: 'behind: NOT_FOUND', methods: LOOK, spoil: notFound(() => ({})) },
  {
    name: 'behind: NOT_FOUND now and then',
    methods: LOOK,
    spoil: async (call) => {
      if (call.turn % 2 === 0) await notFound(() => ({}))(call);
      else call.answer(await call.forward());
    },
  },
  {
    name: 'lie: NOT_FOUND, far ahead',
    methods: LOOK,
    spoil: notFound((latest) => ({ latestLedger: latest + FAR_AHEAD })),
  },
  {
    name: 'lie: NOT_FOUND once, far ahead, since ever',
    methods: LOOK,
    most: 1,
    spoil: notFound((latest) => ({ latestLedger: latest + FAR_AHEAD, oldestLedger: 1 })),
  },
  { name: 'lie: FAILED once', methods: LOOK, most: 1, spoil: found(false) },
  { name: 'lie: SUCCESS once', methods: LOOK, most: 1, spoil: found(true) },
  {
    name: 'lie: SUCCESS of what was not taken',
    methods: [...SEND, ...LOOK],
    most: 1,
    spoil: (call) =>
      call.method === 'sendTransaction'
        ? invented(() => ({ status: 'PENDING', hash: '0'.repeat(64), latestLedger: 1 }))(call)
        : found(true)(call),
  },
  {
    name: 'broken: result that does not decode',
    methods: LOOK,
    most: 3,
    spoil: changed((result) => ('resultXdr' in result ? { ...result, resultXdr: 'AAAA' } : result)),
  },

  // Forgetful.
  {
    name: 'forgetful: NOT_FOUND, history begins now',
    methods: LOOK,
    spoil: notFound((latest) => ({ oldestLedger: latest })),
  },
  {
    name: 'forgetful: NOT_FOUND, far ahead',
    methods: LOOK,
    spoil: notFound((latest) => ({
      latestLedger: latest + FAR_AHEAD,
      oldestLedger: latest + FAR_AHEAD - 10,
    })),
  },
  {
    name: 'forgetful: does not say since when',
    methods: LOOK,
    spoil: changed(({ status: state, latestLedger }) => ({
      status: 'NOT_FOUND',
      latestLedger,
      hidden: state,
    })),
  },

  // Wrong ledgers.
  { name: 'stale: ledgers of a minute ago', methods: METHODS, spoil: ledgersOff((n) => n - 12) },
  { name: 'ahead: ledgers to come', methods: METHODS, spoil: ledgersOff((n) => n + FAR_AHEAD) },
  { name: 'zero: ledger 0', methods: METHODS, spoil: ledgersOff(() => 0) },
  { name: 'broken: ledger as text', methods: METHODS, most: 2, spoil: ledgersOff(String) },
  {
    name: 'clock: ledgers closed a day ago',
    methods: ['getLedgers', 'getLatestLedger', 'getTransaction', 'sendTransaction'],
    spoil: changed((result) => shiftTimes(result, -86_400)),
  },
  {
    name: 'clock: ledgers closed tomorrow',
    methods: ['getLedgers', 'getLatestLedger', 'getTransaction', 'sendTransaction'],
    spoil: changed((result) => shiftTimes(result, 86_400)),
  },

  // Wrong entries.
  {
    name: 'hidden: no entries',
    methods: ENTRIES,
    spoil: changed((result) => ({ ...result, entries: [] })),
  },
  { name: 'cached: entries', methods: ENTRIES, spoil: cached },
  { name: 'cached: look up', methods: LOOK, spoil: cached },
  { name: 'cached: simulate', methods: SIMULATE, spoil: cached },

  // Wrong simulations.
  {
    name: 'lie: simulation fails',
    methods: SIMULATE,
    most: 1,
    spoil: changed(({ latestLedger }) => ({
      error: 'HostError: Error(Contract, #10)',
      latestLedger,
    })),
  },
  {
    name: 'lie: simulation without a fee',
    methods: SIMULATE,
    most: 1,
    spoil: changed((result) => ({ ...result, minResourceFee: '0' })),
  },
  { name: 'refused: simulate -32602', methods: SIMULATE, most: 1, spoil: rpcError(-32_602) },

  // Answers of another kind.
  {
    name: 'type: JSON as text/html',
    methods: METHODS,
    spoil: async (call) =>
      call.respond({ type: 'text/html', text: JSON.stringify(await call.forward()) }),
  },
  {
    name: 'type: a page with 200',
    methods: METHODS,
    most: 2,
    spoil: afterTaking((call) => call.respond({ type: 'text/html', text: HTML })),
  },
  {
    name: 'type: bytes that are not text',
    methods: METHODS,
    most: 2,
    spoil: afterTaking((call) =>
      call.respond({ headers: { 'content-encoding': 'gzip' }, text: '\u0000\u0001\u0002' }),
    ),
  },
  {
    name: 'id: of another call',
    methods: METHODS,
    most: 2,
    spoil: async (call) => call.answer({ ...(await call.forward()), id: 987_654_321 }),
  },
  {
    name: 'id: none',
    methods: METHODS,
    most: 2,
    spoil: async (call) => {
      const { result, error } = await call.forward();
      call.answer({ jsonrpc: '2.0', ...(error === undefined ? { result } : { error }) });
    },
  },
  {
    name: 'result: null',
    methods: METHODS,
    most: 2,
    spoil: afterTaking((call) => call.answer({ jsonrpc: '2.0', id: call.id, result: null })),
  },
  {
    name: 'result and error at once',
    methods: METHODS,
    most: 2,
    spoil: async (call) =>
      call.answer({ ...(await call.forward()), error: { code: -32_603, message: 'and yet' } }),
  },
  {
    name: 'a batch of one',
    methods: METHODS,
    most: 2,
    spoil: async (call) => call.answer([await call.forward()]),
  },
  {
    name: 'a redirect',
    methods: METHODS,
    most: 2,
    spoil: afterTaking((call) =>
      call.respond({ status: 307, headers: { location: 'http://127.0.0.1:9/' }, text: '' }),
    ),
  },
  {
    name: 'an answer of 17 MB',
    methods: LOOK,
    most: 1,
    spoil: changed((result) => ({ ...result, padding: 'x'.repeat(17 << 20) })),
  },
];

/** Moves the close times of a result by so many seconds. */
function shiftTimes(result: Record<string, unknown>, seconds: number): Record<string, unknown> {
  const shifted = Object.entries(result).map(([name, value]): [string, unknown] => {
    if (Array.isArray(value)) {
      return [name, value.map((one) => (isRecord(one) ? shiftTimes(one, seconds) : one))];
    }
    if (!/closeTime$|createdAt/i.test(name)) return [name, value];
    const moved = Number(value) + seconds;
    return [name, typeof value === 'string' ? `${moved}` : moved];
  });
  return Object.fromEntries(shifted);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The behaviours of these names. @throws RangeError for an unknown name */
export function behavioursNamed(names: readonly string[]): Behaviour[] {
  return names.map((name) => {
    const one = BEHAVIOURS.find((behaviour) => behaviour.name === name);
    if (one === undefined) throw new RangeError(`there is no behaviour «${name}»`);
    return one;
  });
}
