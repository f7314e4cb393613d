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
    const text = describeListing(url, validation);
    assert.match(text, /would not be listed/);
    assert.match(text, /✗/);
  });

  it('says that a service cannot answer, where it does not know the question', async () => {
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
