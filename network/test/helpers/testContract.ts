const name = (text: string): number[] => [text.length, ...Buffer.from(text)];

/** A section of a WebAssembly module; all are shorter than 16,384 bytes, so that lengths take two. */
function section(id: number, ...content: number[]): number[] {
  return [id, 0x80 | (content.length & 0x7f), content.length >> 7, ...content];
}

const I64 = 0x7e;
const END = 0x0b;
const DROP = 0x1a;
const call = (index: number): number[] => [0x10, index];
const VOID = [0x42, 2];
/** The number 32 as the host's values have it: 32 << 32 | tag 4. */
const U32_32 = [0x42, 0x84, 0x80, 0x80, 0x80, 0x80, 0x04];
const THREE_ARGUMENTS = [0x20, 0, 0x20, 1, 0x20, 2];

/** Types of functions: () → value, (value, value, value) → value, (value) → value, (value, value) → value. */
const TYPES = [
  [0x60, 0, 1, I64],
  [0x60, 3, I64, I64, I64, 1, I64],
  [0x60, 1, I64, 1, I64],
  [0x60, 2, I64, I64, 1, I64],
];
const [NONE, THREE, ONE, TWO] = [0, 1, 2, 3];

interface Import {
  readonly of: readonly [string, string];
  readonly type: number;
}

/** Host functions by module and name, as `env.json` of soroban-env-common has them. */
const IMPORTS: readonly Import[] = [
  { of: ['d', '_'], type: THREE }, // call
  { of: ['d', '0'], type: THREE }, // try_call
  { of: ['x', '3'], type: NONE }, // get_ledger_sequence
  { of: ['x', '4'], type: NONE }, // get_ledger_timestamp
  { of: ['x', '6'], type: NONE }, // get_ledger_network_id
  { of: ['x', '8'], type: NONE }, // get_max_live_until_ledger
  { of: ['p', '0'], type: ONE }, // prng_bytes_new
];

/** What the talkative contract imports on top of that. */
const TALKATIVE_IMPORTS: readonly Import[] = [
  ...IMPORTS,
  { of: ['x', '1'], type: TWO }, // contract_event
];

/** A function's code may be longer than 127 bytes. */
const sized = (content: number[]): number[] =>
  content.length < 0x80
    ? [content.length, ...content]
    : [0x80 | (content.length & 0x7f), content.length >> 7, ...content];

const TRY = [...THREE_ARGUMENTS, ...call(1), DROP];
const TRIES = Array.from({ length: 100 }, () => TRY).flat();

const FUNCTIONS = [
  { name: 'forward', type: THREE, body: [...THREE_ARGUMENTS, ...call(0)] },
  { name: 'attempt', type: THREE, body: [...THREE_ARGUMENTS, ...call(1), DROP, ...VOID] },
  { name: 'sequence', type: NONE, body: call(2) },
  { name: 'time', type: NONE, body: call(3) },
  { name: 'network', type: NONE, body: call(4) },
  { name: 'last_ledger', type: NONE, body: call(5) },
  { name: 'random', type: NONE, body: [...U32_32, ...call(6)] },
  { name: 'nop', type: NONE, body: VOID },
  { name: 'spin', type: NONE, body: [0x03, 0x40, 0x0c, 0, END, ...VOID] },
];

/** A loop that takes 1 << 32 from the third argument, a number of the host, until there is less than that left. */
const ONE_OF_U32 = [0x42, 0x80, 0x80, 0x80, 0x80, 0x10];
const COUNT_DOWN = [0x20, 2, ...ONE_OF_U32, 0x7d, 0x22, 2, ...ONE_OF_U32, 0x5a, 0x0d, 0];
const SHOUT = [0x03, 0x40, 0x20, 0, 0x20, 1, ...call(7), DROP, ...COUNT_DOWN, END, ...VOID];

/** Functions of the talkative contract alone. */
const TALKATIVE = [
  { name: 'shout', type: THREE, body: SHOUT },
  { name: 'repeat', type: THREE, body: [...TRIES, ...VOID] },
  { name: 'repeat_fail', type: THREE, body: [...TRIES, ...THREE_ARGUMENTS, ...call(0)] },
];

/**
 * The smallest contract that the tests can use, assembled by hand:
 *  - `nop()` returns void, `spin()` never returns;
 *  - `forward(contract, function, args)` calls another contract and fails when that fails;
 *  - `attempt(contract, function, args)` calls another contract and returns void, whatever the result;
 *  - `sequence`, `time`, `network`, `last_ledger` say what the host knows of the ledger, `random` draws 32 bytes.
 *
 * @param salt makes a contract of the same behaviour and another hash
 */
export function testContract(protocol: number, salt = 0): Uint8Array {
  return assemble(protocol, salt, FUNCTIONS, IMPORTS);
}

/**
 * The same with `repeat` and `repeat_fail`, which call `attempt` a hundred times; the second one fails in the end where the
 * call fails. Each time the host writes the arguments into an event. `shout(topics, data, count)` publishes an event as often as
 * the count says, and with 0 for as long as it may run.
 */
export function talkativeContract(protocol: number): Uint8Array {
  return assemble(protocol, 0, [...FUNCTIONS, ...TALKATIVE], TALKATIVE_IMPORTS);
}

/** A token whose `transfer(from, to, amount)` needs the authorization of `from`, and neither emits an event nor moves anything. */
export function silentToken(protocol: number): Uint8Array {
  const transfer = { name: 'transfer', type: THREE, body: [0x20, 0, ...call(0)] };
  return assemble(protocol, 0, [transfer], [{ of: ['a', '0'], type: ONE }]); // require_auth
}

/** A number of at most 63 bits, with its sign. */
function i64(value: bigint): number[] {
  const bytes: number[] = [0x42];
  for (let left = value; ; left >>= 7n) {
    const low = Number(left & 0x7fn);
    const rest = left >> 7n;
    if ((rest === 0n && low < 0x40) || (rest === -1n && low >= 0x40)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

const SYMBOL_LETTERS = '_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A symbol of at most nine letters, as the host's values have it. */
function symbol(text: string): number[] {
  const letters = [...text].map((letter) => BigInt(SYMBOL_LETTERS.indexOf(letter) + 1));
  return i64((letters.reduce((sum, one) => (sum << 6n) | one, 0n) << 8n) | 14n);
}

/** A small amount, as the host's values have it. */
const amountOf = (units: bigint): number[] => i64((units << 8n) | 11n);

const [FROM, TO, AMOUNT] = [
  [0x20, 0],
  [0x20, 1],
  [0x20, 2],
] as const;
const RETURN = 0x0f;
const UNREACHABLE = 0x00;

const TOKEN_IMPORTS: readonly Import[] = [
  { of: ['a', '0'], type: ONE }, // require_auth
  { of: ['x', '3'], type: NONE }, // get_ledger_sequence
  { of: ['v', '_'], type: NONE }, // vec_new
  { of: ['v', '6'], type: TWO }, // vec_push_back
  { of: ['x', '1'], type: TWO }, // contract_event
  { of: ['d', '0'], type: THREE }, // try_call
  { of: ['x', '7'], type: NONE }, // get_current_contract_address
];

const vector = (...items: (readonly number[])[]): number[] =>
  [call(2), ...items.map((item) => [...item, ...call(3)])].flat();

/** Publishes the event of a transfer. */
const reported = (from: readonly number[], to: readonly number[], amount: readonly number[]) => [
  ...vector(symbol('transfer'), from, to),
  ...amount,
  ...call(4),
  DROP,
];
const TRUE_REPORT = reported(FROM, TO, AMOUNT);

/** What a token does in `transfer(from, to, amount)` from some ledger on, after the authorization of `from`. */
const TURNS = {
  /** Emits nothing. */
  silent: [],
  /** Reports one unit. */
  short: reported(FROM, TO, amountOf(1n)),
  /** Reports a transfer of the payer to itself. */
  to_itself: reported(FROM, FROM, AMOUNT),
  /** Reports the transfer backwards. */
  backwards: reported(TO, FROM, AMOUNT),
  /** Reports the transfer twice. */
  twice: [...TRUE_REPORT, ...TRUE_REPORT],
  /** Reports the transfer and returns false. */
  returns_false: [...TRUE_REPORT, ...i64(0n), RETURN],
  /** Returns false and reports nothing. */
  false_and_silent: [...i64(0n), RETURN],
  traps: [UNREACHABLE],
  /** Reports the transfer and calls itself with the same arguments. */
  reenters: [
    ...TRUE_REPORT,
    ...call(6),
    ...symbol('transfer'),
    ...vector(FROM, TO, AMOUNT),
    ...call(5),
    DROP,
  ],
} as const satisfies Readonly<Record<string, readonly number[]>>;

/** What such a token can do. */
export type TokenTurn = keyof typeof TURNS;
export const TOKEN_TURNS = Object.keys(TURNS) as TokenTurn[];

/**
 * A token that moves nothing, and says whatever it likes. Its `transfer` needs the authorization of `from`, and up to a ledger it
 * reports what it was asked for; in later ledgers, it does what `turn` says. `balance` is always a thousand million.
 */
export function turningToken(
  protocol: number,
  { until, turn }: { readonly until: number; readonly turn: TokenTurn },
): Uint8Array {
  const isLater = [...call(1), ...i64((BigInt(until) << 32n) | 4n), 0x56];
  const choice = [0x04, 0x40, ...TURNS[turn], 0x05, ...TRUE_REPORT, END];
  const body = [...FROM, ...call(0), DROP, ...isLater, ...choice, ...VOID];
  const functions = [
    { name: 'transfer', type: THREE, body },
    { name: 'balance', type: ONE, body: amountOf(1_000_000_000n) },
  ];
  return assemble(protocol, 0, functions, TOKEN_IMPORTS);
}

function assemble(
  protocol: number,
  salt: number,
  functions: typeof FUNCTIONS,
  imports: readonly Import[],
): Uint8Array {
  const n = functions.length;
  const imported = imports.flatMap(({ of, type }) => [...of.flatMap(name), 0, type]);
  const exported = functions.flatMap((f, i) => [...name(f.name), 0, imports.length + i]);
  const bodies = functions.flatMap(({ body }) => sized([0, ...body, END]));
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, TYPES.length, ...TYPES.flat()),
    ...section(2, imports.length, ...imported),
    ...section(3, n, ...functions.map((f) => f.type)),
    ...section(7, n, ...exported),
    ...section(10, n, ...bodies),
    // SCEnvMetaEntry XDR: interface version { protocol, preRelease 0 }
    ...section(0, ...name('contractenvmetav0'), 0, 0, 0, 0, 0, 0, 0, protocol, 0, 0, 0, 0),
    ...section(0, ...name('salt'), salt),
  ]);
}
