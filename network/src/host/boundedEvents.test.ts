import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { boundedEvents, MAX_CONTRACT_EVENT_BYTES, MAX_EVENT_BYTES } from './invocation.ts';

type Type = 'diagnostic' | 'contract' | 'system';

function event(type: Type, bytes: number, contract: boolean, n: number): Uint8Array {
  return new xdr.DiagnosticEvent({
    inSuccessfulContractCall: true,
    event: new xdr.ContractEvent({
      ext: xdr.ExtensionPoint.v0(),
      contractId: contract ? new xdr.ContractId(new Uint8Array(32)) : null,
      type: xdr.ContractEventType[type],
      body: xdr.ContractEventBody.v0(
        new xdr.ContractEventV0({
          topics: [xdr.ScVal.scvU32(n)],
          data: xdr.ScVal.scvBytes(new Uint8Array(bytes)),
        }),
      ),
    }),
  }).toXdr();
}

const total = (events: readonly Uint8Array[]): number =>
  events.reduce((sum, { length }) => sum + length, 0);
const isPublished = (one: Uint8Array): boolean =>
  xdr.DiagnosticEvent.fromXdr(one).event.type.name !== 'diagnostic';

const lists = fc
  .array(
    fc.record({
      type: fc.constantFrom<Type>('diagnostic', 'diagnostic', 'contract', 'system'),
      bytes: fc.oneof(fc.nat(200), fc.nat(20_000), fc.constant(MAX_EVENT_BYTES)),
      contract: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((parts) => parts.map(({ type, bytes, contract }, n) => event(type, bytes, contract, n)));

describe('the kept events of an invocation', () => {
  it('are all of them if there is room, and never more than there is room for', () => {
    fc.assert(
      fc.property(lists, (events) => {
        const { diagnosticEvents, eventsLeftOut } = boundedEvents(events);
        if (total(events) <= MAX_EVENT_BYTES) {
          assert.deepEqual(diagnosticEvents, events);
          assert.equal(eventsLeftOut, 0);
          return;
        }
        assert.ok(eventsLeftOut > 0);
        // In their order, with one event that says how many are missing.
        const kept = diagnosticEvents.filter((one) => events.includes(one));
        assert.ok(total(kept) <= MAX_EVENT_BYTES);
        assert.deepEqual(
          kept,
          events.filter((one) => kept.includes(one)),
        );
        assert.equal(diagnosticEvents.length, kept.length + 1);
        assert.equal(kept.length + eventsLeftOut, events.length);
        const [notice] = diagnosticEvents.filter((one) => !events.includes(one));
        assert.ok(notice);
        const { topics } = xdr.DiagnosticEvent.fromXdr(notice).event.body.v0;
        assert.deepEqual(
          topics.map((topic) => topic.toJson()),
          [{ symbol: 'events_left_out' }, { u32: eventsLeftOut }],
        );
      }),
    );
  });

  it('include all that contracts published, up to half of the room', () => {
    fc.assert(
      fc.property(lists, (events) => {
        const published = events.filter(isPublished);
        if (total(published) > MAX_CONTRACT_EVENT_BYTES) return;
        const { diagnosticEvents } = boundedEvents(events);
        assert.deepEqual(diagnosticEvents.filter(isPublished), published);
      }),
    );
  });

  it('are the first and the last ones', () => {
    const events = Array.from({ length: 1_000 }, (_, n) => event('diagnostic', 1_000, true, n));
    const { diagnosticEvents } = boundedEvents(events);
    assert.equal(diagnosticEvents[0], events[0]);
    assert.equal(diagnosticEvents.at(-1), events.at(-1));
  });
});
