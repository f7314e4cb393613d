import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AgentOnLedger, agentWords, budgetOf, lastLine, readAgents } from './agentReport.ts';

const AGENT: AgentOnLedger = {
  name: 'weather',
  agent: 'GAAA',
  wallet: 'CABC0000WXYZ',
  keyFile: '/data/agents/weather.json',
  state: 'active',
  budgets: [
    {
      ...{ limit: '1', left: '0.95', windowSeconds: 86_400, sliding: false },
      ...{ maxPayments: null, paymentsLeft: null, perPayment: '0.1', recipients: ['GBBB'] },
    },
  ],
};

describe('The report on agents from the ledger', () => {
  it('reads only the agents’ lines', () => {
    const printed = ['{"event":"none"}', 'a warning', JSON.stringify({ event: 'agent', ...AGENT })];
    assert.deepEqual(
      readAgents(`${printed.join('\n')}\n`).map(({ name, state }) => [name, state]),
      [['weather', 'active']],
    );
    assert.deepEqual(readAgents(''), []);
  });

  it('shows what is left, the other limits, and where the key is', () => {
    assert.equal(budgetOf(AGENT), '0.95 of 1 USDC left each day');
    assert.equal(
      agentWords(AGENT),
      'at most 0.1 USDC per payment · pays only 1 recipient · from CABC…WXYZ · /data/agents/weather.json',
    );
    const [budget] = AGENT.budgets;
    assert.ok(budget);
    const open = { ...budget, perPayment: null, recipients: null, windowSeconds: 60 };
    assert.equal(budgetOf({ ...AGENT, budgets: [open] }), '0.95 of 1 USDC left each 60 seconds');
    assert.doesNotMatch(agentWords({ ...AGENT, budgets: [open] }), /payment|recipient/);
    const few = { ...budget, sliding: true, maxPayments: 20, paymentsLeft: 3 };
    const shown = { ...AGENT, budgets: [few] };
    assert.equal(budgetOf(shown), '0.95 of 1 USDC and 3 payments left in any day');
    assert.match(agentWords(shown), /^at most 20 payments per window · /);
  });

  it('shows no budget for a key without one', () => {
    assert.equal(budgetOf({ ...AGENT, state: 'revoked' }), 'not on the ledger');
    assert.equal(budgetOf({ ...AGENT, state: 'expired' }), 'expired');
    assert.equal(budgetOf({ ...AGENT, state: 'owner', budgets: [] }), 'no limits');
  });

  it('gives the last line of a failure', () => {
    assert.equal(lastLine('warning\nThe network is down.\n'), 'The network is down.');
    assert.equal(lastLine('\n'), 'The command failed.');
  });
});
