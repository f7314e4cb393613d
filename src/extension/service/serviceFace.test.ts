import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serviceFileOf } from '../../../test/helpers/serviceFile.ts';
import { serviceFace } from './serviceFace.ts';
import type { ServiceState } from './serviceState.ts';

const service = serviceFileOf();
const STATES: readonly ServiceState[] = [
  { kind: 'stopped' },
  { kind: 'starting' },
  { kind: 'running', service, startedHere: true },
  { kind: 'unresponsive', service, startedHere: true },
  { kind: 'waiting', message: 'The service exited unexpectedly.', retryInMs: 500 },
  { kind: 'failed', message: 'No Node 18 was found.' },
];

describe('[finding: E4] the state of the service', () => {
  it('has a sentence of its own in each state', () => {
    const sentences = STATES.map((state) => serviceFace(state).sentence);
    assert.equal(new Set(sentences).size, STATES.length);
  });

  it('is never said to be running while it does not answer, and can be restarted then', () => {
    const face = serviceFace({ kind: 'unresponsive', service, startedHere: false });
    assert.equal(face.sentence, `The local service (process ${service.pid}) isn't responding.`);
    assert.deepEqual([face.action, face.severity], ['restart', 'warning']);
  });

  it('offers an action exactly where something is to be done', () => {
    const offered = STATES.filter((state) => serviceFace(state).action !== undefined);
    assert.deepEqual(
      offered.map(({ kind }) => kind),
      ['stopped', 'unresponsive', 'waiting', 'failed'],
    );
  });

  it('gives the reason why it is not running', () => {
    assert.match(serviceFace(STATES[4] ?? { kind: 'stopped' }).sentence, /exited unexpectedly/);
    assert.match(serviceFace(STATES[5] ?? { kind: 'stopped' }).sentence, /No Node 18/);
  });
});
