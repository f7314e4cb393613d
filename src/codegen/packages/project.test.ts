import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sourceInProject } from '../change/projectFacts.ts';
import { findProject, type Manifest, type Project } from './project.ts';

function project(
  file: string,
  files: Readonly<Record<string, string>>,
): Promise<Project | undefined> {
  return findProject(file, {
    exists: async (path) => path in files,
    read: async (path) => files[path],
  });
}

describe('patterns of a workspace say which folders are members', () => {
  const isMember = async (patterns: readonly string[], path: string): Promise<boolean> => {
    const found = await project(`/m/${path}/app.ts`, {
      '/m/package.json': JSON.stringify({ workspaces: patterns }),
      '/m/package-lock.json': '',
      [`/m/${path}/package.json`]: '{}',
    });
    assert.ok(found);
    return found.workspace === 'member' && found.root === '/m';
  };
  for (const [pattern, path] of [
    ['apps/api', 'apps/api'],
    ['./apps/api/', 'apps/api'],
    ['apps/*', 'apps/api'],
    ['apps/a*', 'apps/api'],
    ['apps/ap?', 'apps/api'],
    ['apps/**', 'apps/api'],
    ['apps/**', 'apps/deep/api'],
    ['apps/**/api', 'apps/api'],
    ['apps/**/api', 'apps/very/deep/api'],
    ['**/api', 'api'],
    ['**/api', 'apps/deep/api'],
    ['**', 'apps/deep/api'],
  ] as const) {
    it(`${pattern} has ${path}`, async () => assert.ok(await isMember([pattern], path)));
  }
  for (const [pattern, path] of [
    ['apps/*', 'apps/deep/api'],
    ['apps/*', 'tools/api'],
    ['apps', 'apps/api'],
    ['apps/ap?', 'apps/ap'],
    ['a.ps/*', 'apps/api'],
    ['apps/**', 'myapps/api'],
    ['apps/**', 'apps2/api'],
    ['**/api', 'apps/myapi'],
    ['pps/api', 'apps/api'],
  ] as const) {
    it(`${pattern} has no ${path}`, async () => assert.ok(!(await isMember([pattern], path))));
  }

  it('excluded folders are not members', async () => {
    assert.ok(!(await isMember(['apps/*', '!apps/api'], 'apps/api')));
    assert.ok(!(await isMember(['apps/*', '!./apps/api'], 'apps/api')));
    assert.ok(await isMember(['apps/*', '!apps/web'], 'apps/api'));
    assert.ok(!(await isMember(['!apps/web'], 'apps/api')));
  });
});

describe('a workspace of pnpm lists its packages in YAML', () => {
  const isMember = async (yaml: string): Promise<boolean> => {
    const found = await project('/m/apps/api/app.ts', {
      '/m/pnpm-workspace.yaml': yaml,
      '/m/pnpm-lock.yaml': '',
      '/m/apps/api/package.json': '{}',
    });
    return found?.workspace === 'member';
  };
  for (const yaml of [
    'packages:\n  - apps/*\n',
    'packages:\r\n- "apps/*"\r\n',
    "onlyBuiltDependencies:\n  - x\npackages:\n  - 'apps/*' # all of them\n",
  ]) {
    it(JSON.stringify(yaml), async () => assert.ok(await isMember(yaml)));
  }
  for (const yaml of [
    'others:\n  - apps/*\n',
    'packages:\n  - libs/*\nothers:\n  - apps/*\n',
    '',
  ]) {
    it(`not ${JSON.stringify(yaml)}`, async () => assert.ok(!(await isMember(yaml))));
  }
});

describe('a package manager’s version decides its name', () => {
  const agent = async (manifest: Manifest, files: Readonly<Record<string, string>> = {}) =>
    (await project('/p/app.ts', { '/p/package.json': JSON.stringify(manifest), ...files }))?.agent;

  it('by what the manifest asks for, without a lock file', async () => {
    assert.equal(await agent({ packageManager: 'pnpm@9.1.0' }), 'pnpm');
    assert.equal(await agent({ packageManager: 'yarn@1.22.0' }), 'yarn');
    assert.equal(await agent({ packageManager: 'yarn@2.0.0' }), 'yarn@berry');
    assert.equal(await agent({ packageManager: 'yarn' }), 'yarn');
    assert.equal(await agent({ packageManager: 'pnpm@2.0.0' }), 'pnpm');
    assert.equal(await agent({ packageManager: 'unheard@1' }), 'npm');
  });

  it('by the lock file, and the version that is asked for', async () => {
    const yarn = { '/p/yarn.lock': '' };
    assert.equal(await agent({}, yarn), 'yarn');
    assert.equal(await agent({ packageManager: 'yarn@3.2.0' }, yarn), 'yarn@berry');
    assert.equal(await agent({ packageManager: 'yarn@1.22.0' }, yarn), 'yarn');
    assert.equal(await agent({ packageManager: 'npm@10.0.0' }, yarn), 'yarn');
    assert.equal(await agent({}, { '/p/yarn.lock': '__metadata:\n' }), 'yarn@berry');
    const pnpm = { '/p/pnpm-lock.yaml': '' };
    assert.equal(await agent({ packageManager: 'pnpm@6.35.0' }, pnpm), 'pnpm@6');
    assert.equal(await agent({ packageManager: 'pnpm@7.0.0' }, pnpm), 'pnpm');
    assert.equal(await agent({ packageManager: 'npm@6.0.0' }, pnpm), 'pnpm');
    assert.equal(
      await agent({ packageManager: 'pnpm@6.0.0' }, { '/p/package-lock.json': '' }),
      'npm',
    );
  });
});

describe('a manifest counts as far as it has the right form', () => {
  const manifest = async (text: string) =>
    (await project('/p/src/app.ts', { '/p/package.json': text }))?.manifest;

  it('all of it', async () => {
    const whole = {
      name: 'p',
      type: 'module',
      packageManager: 'npm@10.0.0',
      workspaces: ['a'],
      dependencies: { next: '16.2.6' },
      devDependencies: { tsx: '4' },
    };
    assert.deepEqual(await manifest(JSON.stringify(whole)), whole);
    assert.deepEqual(await manifest('{"workspaces":{"packages":["a"]}}'), { workspaces: ['a'] });
  });

  it('nothing of what has another form', async () => {
    for (const text of ['', 'x', '[]', 'null', '3', '{"name":1,"type":2,"packageManager":[]}']) {
      assert.deepEqual(await manifest(text), {}, text);
    }
    assert.deepEqual(await manifest('{"workspaces":"a","dependencies":["x"]}'), {});
    assert.deepEqual(await manifest('{"workspaces":["a",1],"dependencies":{"x":1,"y":"2"}}'), {
      workspaces: ['a'],
      dependencies: { y: '2' },
    });
  });

  it('the nearest counts', async () => {
    const found = await project('/p/src/app.ts', {
      '/p/package.json': '{"name":"outer"}',
      '/p/src/package.json': '{"name":"inner"}',
    });
    assert.deepEqual(
      [found?.folder, found?.root, found?.manifest.name],
      ['/p/src', '/p/src', 'inner'],
    );
  });
});

describe('the path of a file in its project', () => {
  const path = async (file: string, ...manifests: readonly string[]): Promise<string> => {
    const { source } = await sourceInProject(file, '', {
      exists: async (at) => manifests.includes(at),
      read: async (at) => (manifests.includes(at) ? 'not even JSON' : undefined),
    });
    return source.path;
  };

  it('begins at the folder of the nearest package.json', async () => {
    const file = '/app/web/app/x/route.ts';
    assert.equal(await path(file, '/app/package.json'), 'web/app/x/route.ts');
    assert.equal(await path(file, '/app/package.json', '/app/web/package.json'), 'app/x/route.ts');
    assert.equal(await path('/c:/app/app/route.ts', '/c:/app/package.json'), 'app/route.ts');
    assert.equal(await path('/app/route.ts', '/package.json'), 'app/route.ts');
  });

  it('is the whole path where there is no package.json', async () => {
    assert.equal(await path('/app/x/route.ts'), '/app/x/route.ts');
  });
});

describe('the place of a package in its workspace', () => {
  it('a root has members, and a package by itself has none', async () => {
    const files = { '/p/package-lock.json': '', '/p/package.json': '{}' };
    assert.equal((await project('/p/app.ts', files))?.workspace, 'none');
    const root = { ...files, '/p/package.json': '{"workspaces":["a"]}' };
    assert.equal((await project('/p/app.ts', root))?.workspace, 'root');
  });

  it('a lock file in the folder of a member is its own', async () => {
    const found = await project('/m/a/app.ts', {
      '/m/package.json': '{"workspaces":["a"]}',
      '/m/yarn.lock': '',
      '/m/a/package.json': '{}',
      '/m/a/package-lock.json': '',
    });
    assert.deepEqual([found?.agent, found?.root, found?.workspace], ['npm', '/m/a', 'none']);
  });
});
