import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { serviceFileOf } from '../../test/helpers/serviceFile.ts';
import { formatServiceFile, parseServiceFile } from '../machine/index.ts';
import { removeServiceFile, runningService, writeServiceFile } from './serviceFile.ts';

const service = serviceFileOf();

describe('the actual URLs are in service.json in the data folder', () => {
  let folder = '';
  const path = () => join(folder, 'service.json');
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-file-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('readable only by the owner', async () => {
    await writeServiceFile(folder, service);
    assert.equal((await stat(path())).mode & 0o777, 0o600);
    assert.deepEqual(parseServiceFile(await readFile(path(), 'utf8')), service);
    assert.deepEqual(await readdir(folder), ['service.json']);
  });

  it('until the service stops', async () => {
    await writeServiceFile(folder, service);
    removeServiceFile(folder);
    assert.deepEqual(await readdir(folder), []);
  });

  it('and a failed write leaves no draft', async () => {
    await mkdir(path());
    await assert.rejects(writeServiceFile(folder, service));
    assert.deepEqual(await readdir(folder), ['service.json']);
  });

  it('and a service deletes only its own file', async () => {
    const theirs = formatServiceFile({ ...service, pid: process.ppid });
    await writeFile(path(), theirs);
    removeServiceFile(folder);
    assert.equal(await readFile(path(), 'utf8'), theirs);
  });
});

describe('one service per data folder', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-file-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  for (const [name, delayMs] of [
    ['another that runs is found', 0],
    ['also one that needs seconds to answer, on a busy machine', 1_500],
  ] as const) {
    it(name, async () => {
      const server = createServer((_request, response) => {
        setTimeout(() => response.end(), delayMs);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        const address = server.address();
        assert.ok(address !== null && typeof address === 'object');
        const facilitatorUrl = `http://127.0.0.1:${address.port}`;
        await writeServiceFile(folder, { ...service, pid: process.ppid, facilitatorUrl });
        assert.equal((await runningService(folder))?.pid, process.ppid);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });
  }

  it('a killed one does not block it', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    await writeServiceFile(folder, { ...service, pid });
    assert.equal(await runningService(folder), undefined);
  });

  it('nor one whose process id now belongs to another program', async () => {
    const facilitatorUrl = 'http://127.0.0.1:9';
    await writeServiceFile(folder, { ...service, pid: process.ppid, facilitatorUrl });
    assert.equal(await runningService(folder), undefined);
  });

  it('nor an unreadable file', async () => {
    await writeFile(join(folder, 'service.json'), '{');
    assert.equal(await runningService(folder), undefined);
  });
});
