import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testKey } from '../../../test/support/payer.ts';
import { USDC_CONTRACT, XLM_CONTRACT } from '../../protocol/index.ts';
import type { PolicyClient } from '../policies/index.ts';
import { type AgentLimits, createWalletAgents } from './walletAgents.ts';

describe('A budget with USDC’s code', () => {
  const asked: string[] = [];
  const agents = createWalletAgents({
    wallet: USDC_CONTRACT,
    owner: { address: USDC_CONTRACT, sign: async () => '' },
    client: {} as PolicyClient,
    rpcUrl: 'http://127.0.0.1:1/rpc',
    submit: async () => '',
    fetch: async (url) => {
      asked.push(String(url));
      throw new Error('the network is not asked');
    },
  });
  const { address: key } = testKey('agent');
  const grant = (limits: Partial<AgentLimits>) =>
    agents.grant({
      ...{ budget: '1', window: 'day', assets: [USDC_CONTRACT], key },
      ...limits,
      expires: new Date(Date.now() + 86_400_000),
    });

  it('is refused before any prompt if another asset is limited', async () => {
    const assets = [USDC_CONTRACT, XLM_CONTRACT];
    for (const amounts of [{ budget: '1 USDC' }, { perPayment: '1 USDC' }]) {
      await assert.rejects(grant({ ...amounts, assets }), {
        code: 'not_configured',
        message: /is in USDC, and assets names another asset/,
      });
    }
    assert.deepEqual(asked, []);
  });

  it('is accepted if only USDC is limited', async () => {
    const taken = grant({ budget: '1 USDC', perPayment: '0.1 USDC' });
    await assert.rejects(taken, { code: 'rpc_failed' });
    assert.equal(asked.length, 1);
  });
});
