import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type OwnVariables, terminalVariables, valueInEnvFile } from './terminalVariables.ts';

const OURS = {
  FACILITATOR_URL: 'http://127.0.0.1:4021',
  STELLAR_RPC_URL: 'http://127.0.0.1:8000/rpc',
  HORIZON_URL: 'http://127.0.0.1:8000',
};
const TESTNET = 'https://soroban-testnet.stellar.org';
const own = (rest: Partial<OwnVariables> = {}): OwnVariables => ({
  terminalSetting: {},
  editor: {},
  envFiles: [],
  ...rest,
});

describe('[finding: E6] the addresses in terminals', () => {
  it('are those of the selected network if the terminal has none', () => {
    assert.deepEqual(terminalVariables(OURS, own(), undefined), { set: OURS, differences: [] });
  });

  for (const [place, has] of [
    [
      'the environment that the editor was started with',
      own({ editor: { STELLAR_RPC_URL: TESTNET } }),
    ],
    ['the settings of terminals', own({ terminalSetting: { STELLAR_RPC_URL: TESTNET } })],
    [
      'a .env file of the project',
      own({ envFiles: [`PORT=1\nSTELLAR_RPC_URL="${TESTNET}" # ours`] }),
    ],
  ] as const) {
    it(`are not replaced if ${place} has another one, and none of another network is mixed in`, () => {
      assert.deepEqual(terminalVariables(OURS, has, undefined), {
        set: {},
        differences: [{ name: 'STELLAR_RPC_URL', own: TESTNET, ours: 'http://127.0.0.1:8000/rpc' }],
      });
      assert.deepEqual(terminalVariables(OURS, has, 'own').set, {});
    });
  }

  it('are replaced if the user chose so', () => {
    const has = own({ editor: { FACILITATOR_URL: 'https://facilitator.example' } });
    const { set, differences } = terminalVariables(OURS, has, 'service');
    assert.deepEqual(set, OURS);
    assert.equal(differences.length, 1);
  });

  it('are set if the own values are the same servers', () => {
    const has = own({
      editor: { FACILITATOR_URL: 'http://localhost:4021/', HORIZON_URL: '' },
      envFiles: ['STELLAR_RPC_URL=http://localhost:8000/rpc'],
    });
    assert.deepEqual(terminalVariables(OURS, has, undefined), { set: OURS, differences: [] });
  });

  it('that settings of terminals remove count as none', () => {
    const has = own({
      terminalSetting: { HORIZON_URL: null },
      editor: { HORIZON_URL: 'https://horizon.example' },
    });
    assert.deepEqual(terminalVariables(OURS, has, undefined).differences, []);
  });
});

describe('A .env file', () => {
  it('is read as the programs that use it read it', () => {
    const text = [
      '# STELLAR_RPC_URL=http://comment',
      'STELLAR_RPC_URL=http://first',
      "export STELLAR_RPC_URL = 'http://last#part' # why",
      'STELLAR_RPC_URL_2=http://other',
      'EMPTY=',
      'PLAIN=http://plain # why',
    ].join('\r\n');
    assert.equal(valueInEnvFile(text, 'STELLAR_RPC_URL'), 'http://last#part');
    assert.equal(valueInEnvFile(text, 'PLAIN'), 'http://plain');
    assert.equal(valueInEnvFile(text, 'EMPTY'), undefined);
    assert.equal(valueInEnvFile(text, 'MISSING'), undefined);
  });
});
