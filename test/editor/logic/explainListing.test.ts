import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  describeListing,
  validateListing,
} from '../../../src/extension/endpoints/explainListing.ts';
import { nodeTransport } from '../../../src/extension/http/nodeTransport.ts';
import { type LocalStack, startLocalStack } from '../../support/localStack.ts';

describe('"Why is my endpoint not listed?"', () => {
  let stack: LocalStack;
  before(async () => {
    stack = await startLocalStack();
  });
  after(() => stack.close());

  it('names the rules that an endpoint fails, and what to do', async () => {
    const url = 'http://127.0.0.1:1/nothing';
    const validation = await validateListing(stack.facilitator.url, url, nodeTransport());
    assert.equal(validation.wouldBeListed, false);
    assert.ok(validation.rules.some(({ outcome }) => outcome === 'failed'));
    const { verdict, good, sections } = describeListing(url, validation);
    assert.match(verdict, /would not get this endpoint listed/);
    assert.equal(good, false);
    const rules = sections.flatMap(({ items }) => items);
    const failed = rules.filter(({ state }) => state === 'failed');
    assert.ok(failed.length > 0 && failed.some(({ next }) => next !== undefined));
    assert.ok(rules.some(({ value }) => value === url));
  });

  it('reports a service that does not support the question', async () => {
    const { url } = stack.facilitator;
    await assert.rejects(validateListing(`${url}/elsewhere`, 'http://h/x', nodeTransport()), {
      name: 'ReadError',
      status: 404,
    });
    await assert.rejects(validateListing('http://127.0.0.1:1', 'http://h/x', nodeTransport()), {
      status: 0,
    });
  });
});
