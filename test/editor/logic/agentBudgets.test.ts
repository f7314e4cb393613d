import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { budgetOf, grantArguments } from '../../../src/extension/agents/index.ts';
import {
  listAgents,
  runAgentCommand,
} from '../../../src/extension/editor/agentBudgets/runAgentCommand.ts';
import { CliProcess, temporaryFolder } from '../../cli/cliProcess.ts';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

describe('The editor gives agents budgets through the command line', {
  skip: existsSync(cli) ? false : 'dist/cli.js is not built: run npm run build',
}, () => {
  const folder = temporaryFolder();
  const started: number[] = [];
  let dev: CliProcess;
  /** The parts of the extension that a command uses, around the real command line. */
  const app = {
    startService: async () => void started.push(1),
    runtime: async () => ({ ok: true, runtime: { command: process.execPath, environment: {} } }),
    bundle: () => cli,
    dataFolder: () => folder.path,
    log: { warn: () => undefined },
  } as unknown as Parameters<typeof runAgentCommand>[0];

  before(async () => {
    const ports = ['--ledger-port', '0', '--facilitator-port', '0', '--no-demo'];
    dev = new CliProcess(['dev', '--json', '--data-dir', folder.path, ...ports]);
    await dev.event('ready');
  });
  after(async () => {
    await dev?.stop();
    folder.remove();
  });

  const answers = {
    name: 'weather',
    budget: '5 USDC',
    window: 'sliding week',
    maxPayments: '20',
    perPayment: '0.1 USDC',
    recipients: '',
    expires: '7d',
  };

  it('the ledger has the form’s values, and only the owner can read the key file', async () => {
    const printed = await runAgentCommand(app, grantArguments(answers));
    assert.doesNotMatch(printed, /\bS[A-Z2-7]{55}\b/);
    const [agent] = await listAgents(app);
    assert.ok(agent);
    assert.equal(budgetOf(agent), '5 of 5 USDC and 20 payments left in any week');
    assert.deepEqual([agent.name, agent.state], ['weather', 'active']);
    assert.equal(agent.budgets[0]?.perPayment, '0.1');
    assert.equal(agent.keyFile, join(folder.path, 'agents', 'weather.json'));
    for (const name of readdirSync(join(folder.path, 'agents'))) {
      assert.equal(statSync(join(folder.path, 'agents', name)).mode & 0o777, 0o600, name);
    }
    assert.ok(started.length > 0);
  });

  it('a failure is one sentence', async () => {
    await assert.rejects(runAgentCommand(app, grantArguments(answers)), (error: Error) => {
      assert.match(error.message, /^An agent named weather already exists/);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
  });

  it('a budget is replaced and revoked, and the list shows it', async () => {
    await runAgentCommand(app, ['agent', 'top-up', '--json', '--budget', '7', 'weather']);
    const [agent] = await listAgents(app);
    assert.ok(agent);
    assert.equal(budgetOf(agent), '7 of 7 USDC and 20 payments left in any week');
    await runAgentCommand(app, ['agent', 'revoke', '--json', 'weather']);
    assert.deepEqual(await listAgents(app), []);
  });
});
