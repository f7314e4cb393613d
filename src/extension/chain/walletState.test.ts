import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSettings } from '../settings/settings.ts';
import { walletFace, walletState } from './walletState.ts';

const ADDRESS = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';
const settings = (payToAddress: string) =>
  readSettings((name) => (name === 'payToAddress' ? payToAddress : undefined));

describe('[spec: Editor sidebar wallet states/States] the state of the wallet', () => {
  const face = (address: string, balances?: { xlm: bigint; usdc: bigint | undefined }) => {
    const { words, colour } = walletFace(walletState(settings(address), balances));
    return [words, colour];
  };

  it('each state has its text and its colour', () => {
    assert.deepEqual(face(''), ['Not configured', 'none']);
    assert.deepEqual(face('GABC'), ['Invalid address', 'red']);
    assert.deepEqual(face(ADDRESS), ['Not funded', 'amber']);
    assert.deepEqual(face(ADDRESS, { xlm: 1n, usdc: undefined }), [
      'Loaded with no trustline',
      'amber',
    ]);
    assert.deepEqual(face(ADDRESS, { xlm: 1n, usdc: 5n }), ['Loaded', 'green']);
  });

  it('[spec: Editor sidebar wallet states/Trustline] a trustline counts by its entry: with a balance of zero the wallet is loaded', () => {
    assert.deepEqual(face(ADDRESS, { xlm: 1n, usdc: 0n }), ['Loaded', 'green']);
  });
});
