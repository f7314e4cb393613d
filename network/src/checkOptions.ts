import type { LedgerOptions } from './ledgerOptions.ts';

const CLOCK = ['now', 'after', 'soon'] as const;
const CLOSE_KINDS: readonly unknown[] = ['demand', 'interval', 'manual'];
const CALLBACKS = ['facilitatorUrl', 'onReachable', 'onFault'] as const;

/**
 * Refuses options of another form than documented, which callers without types pass, in words that name the option.
 * @throws TypeError
 */
export function checkOptions(options: LedgerOptions): void {
  const { clock, close, accounts, fork, trace } = options;
  if (clock !== undefined && !CLOCK.every((name) => hasFunction(clock, name))) {
    throw new TypeError(
      'clock must be an object with the functions now, after and soon (LedgerClock). ' +
        'A function that returns the time is its now.',
    );
  }
  if (close !== undefined && !(isObject(close) && CLOSE_KINDS.includes(close.kind))) {
    throw new TypeError(
      "close must be { kind: 'demand' }, { kind: 'interval', milliseconds } or { kind: 'manual' }",
    );
  }
  if (accounts !== undefined && !isObject(accounts)) {
    throw new TypeError('accounts must be an object: { count, balance }');
  }
  if (fork !== undefined && !isObject(fork)) {
    throw new TypeError('fork must be an object: { rpcUrl, at }');
  }
  if (trace !== undefined && !hasFunction(trace, 'onTrace')) {
    throw new TypeError('trace must be an object: { of, onTrace }, where onTrace is a function');
  }
  for (const name of CALLBACKS) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== 'function') {
      throw new TypeError(`${name} must be a function`);
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function hasFunction(value: unknown, name: string): boolean {
  return isObject(value) && typeof Reflect.get(value, name) === 'function';
}
