import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findGateFiles, type WorkspaceFiles } from './gateFiles.ts';

const GATED = '// svc-x402: payments\nconst routes = {};\n';
const SELLER = '{ "dependencies": { "@x402/express": "2.21.0" } }';

/** Files in memory that count how many were read. */
function filesOf(contents: Readonly<Record<string, string>>) {
  const read: string[] = [];
  const files: WorkspaceFiles = {
    find: async (pattern, most) =>
      Object.keys(contents)
        .filter((name) => name.endsWith('package.json') === pattern.endsWith('package.json'))
        .slice(0, most),
    read: async (name) => {
      read.push(name);
      return contents[name];
    },
  };
  return { files, read };
}

describe('E1: a window whose files hold a gate is known when it opens', () => {
  it('a clone that was never open is searched for each framework that payments are added to', async () => {
    for (const framework of ['express', 'fastify', 'hono', 'next']) {
      const { files } = filesOf({
        'a/package.json': SELLER.replace('express', framework),
        'a/server.js': GATED,
      });
      assert.deepEqual(await findGateFiles(files, []), ['a/server.js'], framework);
    }
  });

  it('a file that held a gate before is looked at first, and no other', async () => {
    const { files, read } = filesOf({ 'a/server.js': GATED, 'a/package.json': SELLER });
    assert.deepEqual(await findGateFiles(files, ['a/server.js']), ['a/server.js']);
    assert.deepEqual(read, ['a/server.js']);
  });

  it('a clone that was never open is searched where it depends on a server package of x402', async () => {
    const { files } = filesOf({ 'server.js': GATED, 'other.js': '', 'package.json': SELLER });
    assert.deepEqual(await findGateFiles(files, []), ['server.js']);
    assert.deepEqual(await findGateFiles(files, ['gone.js']), ['server.js']);
  });

  it('other projects are not searched at all', async () => {
    const { files, read } = filesOf({ 'server.js': GATED, 'package.json': '{"name":"x"}' });
    assert.deepEqual(await findGateFiles(files, []), []);
    assert.deepEqual(read, ['package.json']);
  });

  it('a gate that was removed does not start the service', async () => {
    const { files } = filesOf({ 'server.js': 'app.get("/x")', 'package.json': SELLER });
    assert.deepEqual(await findGateFiles(files, ['server.js']), []);
  });
});
