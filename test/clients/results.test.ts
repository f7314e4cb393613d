import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { casesOfGo, casesOfJunit } from './results.ts';

describe('results of outside suites', () => {
  it('are read from JUnit XML: passed, failed, in error, skipped', () => {
    const xml = `<?xml version="1.0"?><testsuites><testsuite name="pytest">
      <testcase classname="a" name="passes" time="0.1" />
      <testcase classname="a" name="prints" time="0.1"><system-out>words</system-out></testcase>
      <testcase name="is &quot;unequal&quot;"><failure message="1 &lt; 2&#10;again">stack</failure></testcase>
      <testcase name="has no setup"><error>no &amp;c.</error></testcase>
      <testcase name="waits"><skipped type="x" message="need it"/></testcase>
    </testsuite></testsuites>`;
    assert.deepEqual(casesOfJunit(xml), [
      { name: 'passes', outcome: 'passed', detail: '' },
      { name: 'prints', outcome: 'passed', detail: '' },
      { name: 'is "unequal"', outcome: 'failed', detail: '1 < 2\nagain' },
      { name: 'has no setup', outcome: 'failed', detail: 'no &c.' },
      { name: 'waits', outcome: 'skipped', detail: 'need it' },
    ]);
  });

  it('are read from go test -json, and a test with subtests counts only if it fails by itself', () => {
    const event = (Action: string, Test?: string, Output?: string) =>
      JSON.stringify({ Action, ...(Test && { Test }), ...(Output && { Output }) });
    const output = [
      'go: downloading something',
      event('run', 'TestA'),
      event('output', 'TestA/one', '=== RUN TestA/one\n'),
      event('pass', 'TestA/one'),
      event('output', 'TestA/two', '    a_test.go:7: read differently\n'),
      event('output', 'TestA/two', '--- FAIL: TestA/two\n'),
      event('fail', 'TestA/two'),
      event('fail', 'TestA'),
      event('pass', 'TestB/one'),
      event('output', 'TestB', '    b_test.go:9: no setup\n'),
      event('fail', 'TestB'),
      event('skip', 'TestC'),
      event('fail'),
    ].join('\n');
    assert.deepEqual(casesOfGo(output), [
      { name: 'TestA/one', outcome: 'passed', detail: '' },
      { name: 'TestA/two', outcome: 'failed', detail: 'a_test.go:7: read differently' },
      { name: 'TestB/one', outcome: 'passed', detail: '' },
      { name: 'TestB', outcome: 'failed', detail: 'b_test.go:9: no setup' },
      { name: 'TestC', outcome: 'skipped', detail: '' },
    ]);
  });
});
