import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { temporaryFolder } from '../cli/cliProcess.ts';
import { codeBlocks } from './commands/codeBlocks.ts';
import { projectRoot } from './pages/projectFile.ts';

/** The app of docs/add-payment.md: its endpoints are in the lines that the page names. */
const APP = `import express from 'express';

const app = express();

/** Tells the weather of a city. */
app.get('/weather/:city', (req, res) => {
  const { units = 'metric' } = req.query;
  res.json({ city: req.params.city, units, tempC: 19 });
});

app.get('/health', (_req, res) => {
  res.json({ ok: true });
});
`;

/** Lines of prose are broken where the page ends; the words are what counts. */
const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

describe('The flow that docs/add-payment.md shows', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  const app = join(folder.path, 'src', 'app.ts');
  mkdirSync(join(folder.path, 'src'));
  writeFileSync(app, APP);
  writeFileSync(join(folder.path, 'package.json'), '{ "name": "weather-api", "type": "module" }\n');
  writeFileSync(join(folder.path, 'package-lock.json'), '');

  const [flow] = codeBlocks('console').filter(({ page }) => page === 'docs/add-payment.md');
  assert.ok(flow);
  const turns = flow.text
    .split(/^\$ svc-x402 /m)
    .slice(1)
    .map((turn) => turn.split(/\n([\s\S]*)/));
  const [code] = codeBlocks('ts').filter(({ page }) => page === 'docs/add-payment.md');
  let written = '';

  for (const [command = '', expected = ''] of turns) {
    it(`svc-x402 ${command}`, () => {
      const { stdout, stderr } = spawnSync(
        process.execPath,
        [join(projectRoot, 'dist', 'cli.js'), ...command.split(' ')],
        {
          cwd: folder.path,
          encoding: 'utf8',
          env: { PATH: process.env['PATH'], SVC_X402_DATA_DIR: join(folder.path, 'data') },
        },
      );
      assert.equal(words(stdout + stderr), words(expected));
      if (command.includes('--price')) written = readFileSync(app, 'utf8');
    });
  }

  it('writes the code on the page', () => {
    assert.ok(code && written.includes(code.text));
  });

  it('and restores the file', () => {
    assert.equal(readFileSync(app, 'utf8'), APP);
  });
});
