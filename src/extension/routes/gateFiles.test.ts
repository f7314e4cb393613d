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

describe('E1: a window with a gate in its files is recognised when it opens', () => {
  it('a clone that was never opened is searched for every supported framework', async () => {
    for (const framework of ['express', 'fastify', 'hono', 'next']) {
      const { files } = filesOf({
        'a/package.json': SELLER.replace('express', framework),
        'a/server.js': GATED,
      });
      assert.deepEqual(await findGateFiles(files, []), ['a/server.js'], framework);
    }
  });

  it('only a file that had a gate before is read', async () => {
    const { files, read } = filesOf({ 'a/server.js': GATED, 'a/package.json': SELLER });
    assert.deepEqual(await findGateFiles(files, ['a/server.js']), ['a/server.js']);
    assert.deepEqual(read, ['a/server.js']);
  });

  it('a clone that was never opened is searched if it depends on an x402 server package', async () => {
    const { files } = filesOf({ 'server.js': GATED, 'other.js': '', 'package.json': SELLER });
    assert.deepEqual(await findGateFiles(files, []), ['server.js']);
    assert.deepEqual(await findGateFiles(files, ['gone.js']), ['server.js']);
  });

  it('other projects are not searched', async () => {
    const { files, read } = filesOf({ 'server.js': GATED, 'package.json': '{"name":"x"}' });
    assert.deepEqual(await findGateFiles(files, []), []);
    assert.deepEqual(read, ['package.json']);
  });

  it('a gate that was removed does not start the service', async () => {
    const { files } = filesOf({ 'server.js': 'app.get("/x")', 'package.json': SELLER });
    assert.deepEqual(await findGateFiles(files, ['server.js']), []);
  });
});
