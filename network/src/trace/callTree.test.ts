import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { contractAddressOf } from '../../../common/scAddress.ts';
import { callTree, type RecordedStep, TREE_LIMITS } from './callTree.ts';
import { NO_INTERFACE } from './contractInterface.ts';
import { traceInvocation } from './invocationTrace.ts';
import type { TracedStep } from './trace.ts';
import { traceText } from './traceText.ts';

const idOf = (n: number): Uint8Array => new Uint8Array(32).fill(n);
const addressOf = (n: number): string => contractAddressOf(idOf(n));
const symbol = (text: string): xdr.ScVal => xdr.ScVal.scvSymbol(text);
const VOID = xdr.ScVal.scvVoid();

function event(
  from: number | null,
  topics: xdr.ScVal[],
  data: xdr.ScVal = VOID,
  type: 'diagnostic' | 'contract' | 'system' = 'diagnostic',
): xdr.DiagnosticEvent {
  return new xdr.DiagnosticEvent({
    inSuccessfulContractCall: false,
    event: new xdr.ContractEvent({
      ext: xdr.ExtensionPoint.v0(),
      contractId: from === null ? null : new xdr.ContractId(idOf(from)),
      type: xdr.ContractEventType[type],
      body: xdr.ContractEventBody.v0(new xdr.ContractEventV0({ topics, data })),
    }),
  });
}

const called = (from: number | null, to: number, name = 'f') =>
  event(from, [symbol('fn_call'), xdr.ScVal.scvBytes(idOf(to)), symbol(name)]);
const returned = (from: number, name = 'f') => event(from, [symbol('fn_return'), symbol(name)]);
const failed = (from: number, code: number) =>
  event(from, [symbol('error'), xdr.ScVal.scvError(xdr.ScError.sceContract(code))]);

/** A tree as text: `1.f+(2.f-(e))`. */
function shape(steps: readonly RecordedStep[]): string {
  return steps
    .map((step) => {
      if (step.kind !== 'call') return step.kind.charAt(0);
      const { contract, function: name, outcome, steps: within } = step.call;
      const n = [1, 2, 3, 4].find((one) => addressOf(one) === contract);
      return `${n}.${name}${{ returned: '+', failed: '-', unknown: '?' }[outcome]}(${shape(within)})`;
    })
    .join(' ');
}

describe('the tree of calls', () => {
  it('has each call below its caller', () => {
    const events = [
      called(null, 1),
      called(1, 2),
      returned(2),
      called(1, 3),
      returned(3),
      returned(1),
    ];
    assert.equal(shape(callTree(events, true).steps), '1.f+(2.f+() 3.f+())');
  });

  it('closes a call that left no return when its caller has something to report', () => {
    const events = [
      called(null, 1),
      called(1, 2),
      failed(2, 7),
      failed(1, 7),
      called(1, 3),
      returned(3),
    ];
    assert.equal(shape(callTree(events, false).steps), '1.f-(2.f-(e) e 3.f+())');
  });

  it('does not treat a call as failed if its return might be among the events that were left out', () => {
    const notice = event(null, [symbol('events_left_out'), xdr.ScVal.scvU32(9)]);
    const events = [called(null, 1), called(1, 2), notice, returned(3), returned(1)];
    const tree = callTree(events, true);
    assert.equal(shape(tree.steps), '1.f+(2.f?(l))');
    assert.ok(tree.cut);
  });

  it('keeps two calls of one contract apart', () => {
    const events = [
      called(null, 1),
      called(1, 2),
      failed(2, 7),
      called(1, 2, 'g'),
      returned(2, 'g'),
    ];
    assert.equal(shape(callTree(events, false).steps), '1.f-(2.f-(e) 2.g+())');
  });

  it('lets a contract call itself', () => {
    const events = [called(null, 1), called(1, 1, 'g'), returned(1, 'g'), returned(1)];
    assert.equal(shape(callTree(events, true).steps), '1.f+(1.g+())');
  });

  it('does not report a failed call if only its return is missing', () => {
    assert.equal(shape(callTree([called(null, 1)], true).steps), '1.f?()');
  });
});

const anyValue: fc.Arbitrary<xdr.ScVal> = fc.letrec<{ value: xdr.ScVal }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(VOID),
    fc.boolean().map((b) => xdr.ScVal.scvBool(b)),
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((n) => xdr.ScVal.scvU64(n)),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => xdr.ScVal.scvBytes(bytes)),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => xdr.ScVal.scvString(bytes)),
    fc.integer({ min: 0, max: 200 }).map((n) => xdr.ScVal.scvError(xdr.ScError.sceContract(n))),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => xdr.ScVal.scvVec(items)),
    fc
      .array(fc.tuple(tie('value'), tie('value')), { maxLength: 3 })
      .map((entries) =>
        xdr.ScVal.scvMap(entries.map(([key, val]) => new xdr.ScMapEntry({ key, val }))),
      ),
  ),
})).value;

const someone = fc.option(fc.integer({ min: 1, max: 4 }));
const topic = fc.oneof(
  anyValue,
  fc
    .constantFrom('fn_call', 'fn_return', 'error', 'log', 'host_fn_failed', 'core_metrics', 'f')
    .map(symbol),
  fc.integer({ min: 1, max: 4 }).map((n) => xdr.ScVal.scvBytes(idOf(n))),
);
const anyEvent = fc.oneof(
  fc.tuple(someone, fc.integer({ min: 1, max: 4 })).map(([from, to]) => called(from, to)),
  fc.integer({ min: 1, max: 4 }).map((from) => returned(from)),
  fc
    .tuple(
      someone,
      fc.array(topic, { maxLength: 4 }),
      anyValue,
      fc.constantFrom('diagnostic' as const, 'contract' as const, 'system' as const),
    )
    .map((parts) => event(...parts)),
);

function measure(steps: readonly TracedStep[], depth = 1): { steps: number; depth: number } {
  let most = depth;
  let count = steps.length;
  for (const step of steps) {
    if (step.kind !== 'call') continue;
    const within = measure(step.steps, depth + 1);
    count += within.steps;
    most = Math.max(most, within.depth);
  }
  return { steps: count, depth: most };
}

const traced = (events: readonly xdr.DiagnosticEvent[], successful: boolean) =>
  traceInvocation({ events, successful, source: 'G', auth: [], storage: undefined }, (id) => ({
    id,
    name: null,
    asset: 'XLM',
    interface: NO_INTERFACE,
  }));

describe('whatever the events are', () => {
  it('the trace is bounded, and nothing throws', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), fc.boolean(), (events, successful) => {
        const trace = traced(events, successful);
        const { steps, depth } = measure(trace.steps);
        assert.ok(steps <= events.length && depth <= TREE_LIMITS.depth + 1);
        assert.ok(traceText('title', [], trace, new Map()).length < 500_000);
      }),
      { numRuns: 300 },
    );
  });

  it('deep nests and long lists are cut, and say so', () => {
    const deep = Array.from({ length: 500 }, (_, n) => called(n === 0 ? null : 1, 1));
    const trace = traced(deep, false);
    assert.ok(measure(trace.steps).depth <= TREE_LIMITS.depth + 1);
    assert.equal(trace.cut, true);
    const long = [called(null, 1), ...Array.from({ length: 30_000 }, () => failed(1, 2))];
    const { cut, steps } = traced(long, false);
    assert.equal(cut, true);
    assert.ok(measure(steps).steps <= TREE_LIMITS.steps);
  });

  it('values take no more room than available', () => {
    const big = xdr.ScVal.scvVec(
      Array.from({ length: 2_000 }, () => xdr.ScVal.scvBytes(new Uint8Array(500))),
    );
    const events = Array.from({ length: 1_900 }, () => event(1, [big, big], big, 'contract'));
    const trace = traced(events, true);
    assert.ok(JSON.stringify(trace).length < 1_000_000);
    assert.equal(trace.cut, true);
  });
});
