import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { serviceFileOf } from '../../test/helpers/serviceFile.ts';
import { formatServiceFile, SERVICE_FILE_NAME } from '../machine/index.ts';
import { readServiceStatus } from './serviceStatus.ts';

const running = serviceFileOf();

describe('the status command reports the running service from the discovery file', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-status-'));
  });
  after(() => rm(folder, { recursive: true }));
  const leave = (text: string) => writeFile(join(folder, SERVICE_FILE_NAME), text);

  it('names every address of a running service', async () => {
    await leave(formatServiceFile(running));
    const { sentence, addresses } = await readServiceStatus(folder);
    assert.match(sentence, /embedded network/);
    assert.deepEqual(
      addresses.map(({ url }) => url),
      [
        'http://127.0.0.1:4021',
        'https://localhost:8000/rpc',
        'http://127.0.0.1:8000',
        'http://127.0.0.1:8000/friendbot',
      ],
    );
    for (const { url } of addresses) assert.ok(sentence.includes(url));
  });

  it('says that nothing is running if the file’s process is gone', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    await leave(formatServiceFile({ ...running, pid }));
    assert.match((await readServiceStatus(folder)).sentence, /No local x402 service is running/);
  });

  it('says that nothing is running without a file, or with an unreadable one', async () => {
    await leave('{"version":1');
    assert.deepEqual((await readServiceStatus(folder)).addresses, []);
    await rm(join(folder, SERVICE_FILE_NAME));
    assert.deepEqual((await readServiceStatus(folder)).addresses, []);
  });
});
