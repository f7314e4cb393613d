import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { configFromEnvironment } from '../../src/server/index.ts';
import { createMetrics, listMetrics } from '../../src/server/metrics/metrics.ts';
import { testKey } from '../support/payer.ts';
import { logLines } from './pages/logLines.ts';
import { projectFile, projectRoot } from './pages/projectFile.ts';

const alerts = projectFile('deploy/alerts.yml');
const unit = projectFile('deploy/svc-x402.service');
const container = projectFile('deploy/Containerfile');

/** What `GET /metrics` of a service returns that has done one of everything. */
async function exported(): Promise<string> {
  const metrics = createMetrics();
  metrics.request('/settle', 503, 1);
  metrics.settled('settled', 1);
  metrics.rpcCall('getHealth', 'ok', 1);
  metrics.spendRefusal('spend_ceiling', true);
  return metrics.text();
}

describe('The alert rules', () => {
  it('use metrics and labels that the service exports', async () => {
    const text = await exported();
    const gauges = projectFile('src/server/metrics/metrics.ts');
    const names = [...new Set(alerts.match(/svc_x402_\w+/g))];
    assert.ok(names.length > 5);
    for (const name of names) {
      const short = name.slice('svc_x402_'.length);
      assert.ok(text.includes(`\n${name}{`) || gauges.includes(`'${short}'`), name);
    }
    for (const [, label, value] of alerts.matchAll(/[{,](\w+)!?="([^"]*)"/g)) {
      if (label === 'job') continue;
      assert.ok(text.includes(`${label}="${value}"`), `${label}="${value}"`);
    }
  });
});

describe('The dashboard', () => {
  const { panels } = JSON.parse(projectFile('deploy/grafana-dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n');

  it('[finding: O8] has a panel for each metric that the service exports', async () => {
    const text = await exported();
    assert.ok(listMetrics().length >= 9);
    for (const { name, labels } of listMetrics()) {
      assert.ok(expressions.includes(name), name);
      for (const label of labels) assert.ok(expressions.includes(label), `${name} by ${label}`);
    }
    for (const [name] of expressions.matchAll(/svc_x402_(?:process|nodejs)_\w+/g)) {
      assert.ok(text.includes(`\n${name}`), name);
    }
  });
});

describe('The page of log lines', () => {
  it('[finding: O8] has every line, because nearly each call writes its message itself', () => {
    const { lines, unread } = logLines();
    // The reasons of /ready, a payment's own warning, which its scheme makes, and the words about a reset that every part uses.
    assert.deepEqual(unread, [
      "src/server/facilitator/ledgerWatch.ts: reasons.map((one) => one.message).join(' ')",
      'src/server/facilitator/settle/settlePayment.ts: warning',
      'src/server/startFacilitator.ts: NETWORK_RESET_WORDS',
    ]);
    assert.ok(lines.length > 60, `${lines.length}`);
    for (const known of ['facilitator ready', 'not settled', 'unexpected failure']) {
      assert.ok(
        lines.some(({ message }) => message === known),
        known,
      );
    }
  });
});

describe('The unit and the container file', () => {
  it('start the facilitator with existing options', () => {
    const page = projectFile('docs/command-line.md');
    const [, section = ''] = page.split('## `svc-x402 facilitator`');
    for (const text of [unit, container]) {
      for (const option of text.match(/--(?:no-restart|json)\b/g) ?? []) {
        assert.ok(section.includes(`\`${option}\``), option);
      }
    }
  });

  it('set variables that the facilitator reads', () => {
    const known = projectFile('docs/environment.md');
    const set = [
      ...projectFile('deploy/facilitator.env.example').matchAll(/^(?:# )?([A-Z_]+)=/gm),
      ...unit.matchAll(/^Environment=([A-Z0-9_]+)=/gm),
    ];
    assert.ok(set.length > 6);
    for (const [, name] of set) assert.ok(known.includes(`\`${name}\``), name);
  });

  it('are refused without secrets, in one list', () => {
    const lines = projectFile('deploy/facilitator.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm);
    const given = Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
    assert.throws(() => configFromEnvironment(given), /SPONSOR_SECRET[\s\S]*CHANNEL_SEED/);
    const filled = {
      ...given,
      SPONSOR_SECRET: testKey('a sponsor of the unit').secret,
      CHANNEL_SEED: '0123456789abcdef'.repeat(4),
    };
    assert.doesNotThrow(() => configFromEnvironment(filled));
  });

  it('are valid for systemd, if it is installed', (t) => {
    try {
      execFileSync('systemd-analyze', ['--version'], { stdio: 'pipe' });
    } catch {
      return t.skip('no systemd here');
    }
    const complaints = execFileSync(
      'sh',
      ['-c', 'systemd-analyze verify deploy/svc-x402.service 2>&1 || true'],
      { cwd: projectRoot, encoding: 'utf8' },
    );
    assert.doesNotMatch(complaints, /svc-x402\.service/);
  });
});
