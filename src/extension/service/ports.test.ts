import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { choosePorts, rememberPorts } from './ports.ts';

describe('E3: the local service keeps its port', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ports-'));
  });
  beforeEach(() => rm(join(folder, 'ports.json'), { force: true }));
  after(() => rm(folder, { recursive: true }));

  const taken =
    (...ports: number[]) =>
    async (port: number) =>
      !ports.includes(port);

  it('a first start takes the default ports, or the next free ones', async () => {
    assert.deepEqual(await choosePorts(folder, undefined, taken()), {
      facilitator: 4021,
      network: 8000,
    });
    assert.deepEqual(await choosePorts(folder, undefined, taken(4021, 4022, 8000)), {
      facilitator: 4023,
      network: 8001,
    });
  });

  it('a fallback port stays the same at each start, even if the default one is free again', async () => {
    await rememberPorts(folder, { facilitator: 4022, network: 8001 });
    const ports = await choosePorts(folder, undefined, taken());
    assert.deepEqual(ports, { facilitator: 4022, network: 8001 });
  });

  it('a foreign program on the port moves the service only while it is there', async () => {
    await rememberPorts(folder, { facilitator: 4021, network: 8000 });
    assert.equal((await choosePorts(folder, undefined, taken(4021))).facilitator, 4022);
    await rememberPorts(folder, { facilitator: 4022, network: 8000 });
    assert.equal((await choosePorts(folder, undefined, taken(4021))).facilitator, 4022);
    assert.equal((await choosePorts(folder, undefined, taken())).facilitator, 4021);
  });

  it('two profiles have two data folders, and each keeps its own ports', async () => {
    const other = await mkdtemp(join(tmpdir(), 'ports-'));
    await rememberPorts(folder, { facilitator: 4021, network: 8000 });
    await rememberPorts(other, { facilitator: 4022, network: 8001 });
    assert.equal((await choosePorts(other, undefined, taken())).facilitator, 4022);
    assert.equal((await choosePorts(folder, undefined, taken())).facilitator, 4021);
    await rm(other, { recursive: true });
  });

  it('the setting takes precedence over the remembered port', async () => {
    await rememberPorts(folder, { facilitator: 4022, network: 8000 });
    assert.equal((await choosePorts(folder, 5000, taken())).facilitator, 5000);
  });

  it('a damaged file is ignored, and when all ports are taken the system picks one', async () => {
    for (const text of ['{', '[]', '{"facilitator":["x"],"network":[]}', '']) {
      await writeFile(join(folder, 'ports.json'), text);
      assert.equal((await choosePorts(folder, undefined, taken())).facilitator, 4021);
    }
    assert.equal((await choosePorts(folder, undefined, async () => false)).facilitator, 0);
  });

  it('whether a port is free is found by listening on it', async () => {
    const server = await new Promise<Server>((resolve) => {
      const opened = createServer().listen(0, '127.0.0.1', () => resolve(opened));
    });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await rememberPorts(folder, { facilitator: port, network: 8000 });
    assert.notEqual((await choosePorts(folder, undefined)).facilitator, port);
    await new Promise((resolve) => server.close(resolve));
    assert.equal((await choosePorts(folder, undefined)).facilitator, port);
  });
});
