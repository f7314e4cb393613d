import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { isProcessAlive, parseServiceFile } from '../../src/machine/index.ts';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const PRELOAD = new URL('./faultOnSignal.mjs', import.meta.url).href;
const QUIET = ['--no-demo', '--json', '--log-level', 'warn', '--in-memory'];
const PORTS = ['--ledger-port', '0', '--facilitator-port', '0'];

describe('An unhandled error', { skip: process.platform === 'win32' }, () => {
  let folder: ReturnType<typeof temporaryFolder>;
  const dev = (...more: string[]) =>
    new CliProcess(['dev', ...QUIET, ...PORTS, '--data-dir', folder.path, ...more], {}, PRELOAD);
  const serviceNow = () =>
    parseServiceFile(readFileSync(join(folder.path, 'service.json'), 'utf8'));
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('is logged, and ends the process with its own status after it closed', async () => {
    const service = dev('--no-restart');
    await service.event('serving');
    service.signal('SIGUSR2');
    const { code, stderr } = await service.ended;
    assert.equal(code, 70);
    assert.match(stderr, /unhandled error; finishing, then closing/);
    assert.match(stderr, /nobody handles this/);
    assert.throws(serviceNow, { code: 'ENOENT' });
  });

  it('restarts it, and a stop signal ends both', async () => {
    const service = dev();
    await service.event('serving');
    service.signal('SIGUSR2');
    await service.event('serving', 1);
    const again = serviceNow();
    assert.ok(again?.facilitatorUrl);
    assert.notEqual(again.pid, service.pid);
    assert.equal((await fetch(`${again.facilitatorUrl}/health`)).status, 200);
    const { code } = await service.stop('SIGTERM');
    assert.equal(code, 0);
    assert.equal(isProcessAlive(again.pid, process.kill), false);
  });
});
