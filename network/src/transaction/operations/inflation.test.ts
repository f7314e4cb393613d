import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { TestWorld, XLM } from '../../../test/helpers/testWorld.ts';

describe('inflation ended with protocol 12 (CAP-26)', () => {
  it('is not supported', () => {
    const world = new TestWorld();
    const alice = world.account('alice', XLM);
    assert.equal(world.one(alice, xdr.OperationBody.inflation()), 'opNotSupported');
  });
});
