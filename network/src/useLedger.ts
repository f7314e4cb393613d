import type { LedgerOptions } from './ledgerOptions.ts';
import type { RunningLedger } from './runningLedger.ts';
import { startLedger } from './startLedger.ts';

type Register = (run: () => Promise<void>) => unknown;

/**
 * The hooks of a test framework: the module `node:test` or `vitest`, or `globalThis` if they are global, as in Jest.
 */
export interface TestHooks {
  readonly before?: Register;
  readonly beforeAll?: Register;
  readonly after?: Register;
  readonly afterAll?: Register;
  readonly beforeEach?: Register;
  readonly afterEach?: Register;
}

/** The network of a suite. It starts before the suite's hooks and tests, so its members can be read only within them. */
export type SuiteLedger = Omit<RunningLedger, 'close'>;

interface Registers {
  readonly start: Register;
  readonly stop: Register;
  readonly beforeEach: Register;
  readonly afterEach: Register;
}

function registersOf(hooks: TestHooks): Registers {
  const start = hooks.beforeAll ?? hooks.before;
  const stop = hooks.afterAll ?? hooks.after;
  const { beforeEach, afterEach } = hooks;
  if (start === undefined || stop === undefined || !beforeEach || !afterEach) {
    throw new TypeError(
      'useLedger needs the hooks of a test framework: pass the module `node:test` or `vitest`, or globalThis for Jest',
    );
  }
  return { start, stop, beforeEach, afterEach };
}

/**
 * Starts a network for the tests of a suite, and reverts each test's changes to the ledger after it. Changes made in `before`
 * or `beforeAll` hooks stay for all tests. It listens on a free port unless `options.port` says otherwise. Call it once, at the
 * top of the suite. Tests that run at the same time see each other's changes.
 *
 * ```ts
 * import * as hooks from 'node:test';
 * import { useLedger } from 'svc-x402/ledger';
 *
 * const ledger = useLedger(hooks, { accounts: { count: 2, balance: '10000' } });
 * hooks.it('pays', () => pay(ledger.urls?.rpc, ledger.fundedAccounts[0]));
 * ```
 *
 * @throws TypeError without hooks; members of the result throw Error outside of hooks and tests
 */
export function useLedger(
  hooks: TestHooks = globalThis as TestHooks,
  options: LedgerOptions = {},
): SuiteLedger {
  const { start, stop, beforeEach, afterEach } = registersOf(hooks);
  let running: RunningLedger | undefined;
  const snapshots: string[] = [];
  const ledger = (): RunningLedger => {
    if (running !== undefined) return running;
    throw new Error(
      'the ledger is available only within hooks and tests: it starts before the first of them',
    );
  };
  start(async () => {
    running = await startLedger({ port: 0, ...options });
  });
  beforeEach(async () => {
    snapshots.push((await ledger().control('svc_snapshot')).id);
  });
  afterEach(async () => {
    const id = snapshots.pop();
    if (id !== undefined) await ledger().control('svc_revert', { id });
  });
  stop(async () => {
    await running?.close();
    running = undefined;
  });
  return {
    get passphrase() {
      return ledger().passphrase;
    },
    get urls() {
      return ledger().urls;
    },
    get certificateAuthority() {
      return ledger().certificateAuthority;
    },
    get accounts() {
      return ledger().accounts;
    },
    get fundedAccounts() {
      return ledger().fundedAccounts;
    },
    get contracts() {
      return ledger().contracts;
    },
    call: (method, params) => ledger().call(method, params),
    control: (method, params) => ledger().control(method, params),
    closeLedger: () => ledger().closeLedger(),
  };
}
