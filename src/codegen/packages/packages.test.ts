import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { installPlan } from './installPlan.ts';
import { withOverrides } from './override.ts';
import {
  chooseSet,
  neededPackages,
  OVERRIDES,
  PACKAGE_SETS,
  type PackageSet,
} from './packageSets.ts';
import { findProject, type ProjectFiles } from './project.ts';
import { packageSource } from './served.ts';

function disk(files: Readonly<Record<string, string>>): ProjectFiles {
  return {
    exists: async (path) => path in files,
    read: async (path) => files[path],
  };
}

async function planFor(file: string, files: Readonly<Record<string, string>>) {
  const project = await findProject(file, disk(files));
  assert.ok(project);
  const [newest] = PACKAGE_SETS;
  assert.ok(newest);
  return { project, plan: installPlan(project, neededPackages('express', newest)) };
}

const PACKAGES =
  '@x402/core@2.21.0 @x402/stellar@2.9.0 @x402/extensions@2.21.0 @x402/express@2.21.0';

describe('[spec: Editor extension command/7] the install command is that of the nearest lock file, for the right folder', () => {
  const cases = [
    ['npm', 'package-lock.json', '', `npm i --save-exact ${PACKAGES}`],
    ['pnpm', 'pnpm-lock.yaml', '', `pnpm add --save-exact ${PACKAGES}`],
    ['yarn', 'yarn.lock', '# yarn lockfile v1\n', `yarn add --exact ${PACKAGES}`],
    ['yarn@berry', 'yarn.lock', '__metadata:\n  version: 8\n', `yarn add --exact ${PACKAGES}`],
    ['bun', 'bun.lock', '', `bun add --exact ${PACKAGES}`],
  ] as const;
  for (const [agent, lock, content, line] of cases) {
    it(`${agent}: ${lock}`, async () => {
      const { project, plan } = await planFor('/p/src/app.ts', {
        '/p/package.json': '{"name":"p"}',
        [`/p/${lock}`]: content,
      });
      assert.equal(project.agent, agent);
      assert.deepEqual([plan.folder, plan.line], ['/p', line]);
    });
  }

  it('a member of npm workspaces: in its own folder, by the lock of the root', async () => {
    const { project, plan } = await planFor('/m/apps/api/src/app.ts', {
      '/m/package.json': '{"workspaces":["apps/*"]}',
      '/m/package-lock.json': '',
      '/m/apps/api/package.json': '{"name":"api"}',
    });
    assert.deepEqual(
      [project.workspace, project.root, plan.folder],
      ['member', '/m', '/m/apps/api'],
    );
    assert.equal(plan.command, 'npm');
  });

  it('a member of a pnpm workspace', async () => {
    const { project, plan } = await planFor('/m/packages/deep/api/app.ts', {
      '/m/package.json': '{}',
      '/m/pnpm-lock.yaml': '',
      '/m/pnpm-workspace.yaml': "packages:\n  - 'packages/**' # all\n  - '!packages/old'\n",
      '/m/packages/deep/api/package.json': '{}',
    });
    assert.deepEqual([project.workspace, plan.folder], ['member', '/m/packages/deep/api']);
    assert.equal(plan.line, `pnpm add --save-exact ${PACKAGES}`);
  });

  it('the root of a workspace is named to pnpm and yarn', async () => {
    const pnpm = await planFor('/m/app.ts', {
      '/m/package.json': '{}',
      '/m/pnpm-workspace.yaml': 'packages:\n  - libs/*\n',
    });
    assert.match(pnpm.plan.line, /--workspace-root/);
    const yarn = await planFor('/m/app.ts', {
      '/m/package.json': '{"workspaces":{"packages":["libs/*"]}}',
      '/m/yarn.lock': '',
    });
    assert.match(yarn.plan.line, /--ignore-workspace-root-check/);
  });

  it('a lock file above that does not know the package is not its own', async () => {
    const { project } = await planFor('/m/examples/one/app.ts', {
      '/m/package.json': '{"workspaces":["apps/*"]}',
      '/m/pnpm-lock.yaml': '',
      '/m/examples/one/package.json': '{"packageManager":"yarn@4.1.0"}',
    });
    assert.deepEqual(
      [project.agent, project.root, project.workspace],
      ['yarn@berry', '/m/examples/one', 'none'],
    );
  });

  it('without a lock file npm is taken', async () => {
    const { project } = await planFor('/p/app.ts', { '/p/package.json': '{}' });
    assert.equal(project.agent, 'npm');
  });

  it('without a package.json there is no project', async () => {
    assert.equal(await findProject('/p/app.ts', disk({})), undefined);
  });
});

describe('versions that work together', () => {
  const newer: PackageSet = {
    core: '9.0.0',
    extensions: '9.0.0',
    stellar: '9.0.0',
    express: '9.0.0',
    next: '9.0.0',
    fastify: '9.0.0',
  };

  it('are those of the examples', () => {
    const url = new URL('../../../examples/package-sets.json', import.meta.url);
    const { x402 } = JSON.parse(readFileSync(url, 'utf8')) as {
      x402: { versions: Record<string, string>; overrides: Record<string, string> };
    };
    const [newest] = PACKAGE_SETS;
    assert.ok(newest);
    for (const { name, version } of neededPackages('express', newest)) {
      assert.equal(x402.versions[name], version, name);
    }
    assert.equal(x402.overrides['viem'], OVERRIDES['viem']);
  });

  it('the newest set that the package source serves is used', async () => {
    const [known] = PACKAGE_SETS;
    assert.ok(known);
    const all = await chooseSet('express', async () => true, [newer, known]);
    assert.deepEqual(all, { set: newer, missing: [] });
    const old = await chooseSet('express', async (_name, version) => version !== '9.0.0', [
      newer,
      known,
    ]);
    assert.deepEqual(old, { set: known, missing: [] });
  });

  it('if none is served completely, the one that lacks least, and of two the newer', async () => {
    const [known] = PACKAGE_SETS;
    assert.ok(known);
    const older = { ...newer, core: '1.0.0', express: '1.0.0' };
    const chosen = async (served: readonly string[]) =>
      (
        await chooseSet('express', async (_, version) => served.includes(version), [
          newer,
          known,
          older,
        ])
      ).set;
    assert.equal(await chosen(['2.21.0']), known);
    assert.equal(await chosen(['1.0.0']), older);
    assert.equal(await chosen([]), newer);
  });

  it('packages that no set can get are named', async () => {
    const chosen = await chooseSet('fastify', async (name) => name !== '@x402/fastify');
    assert.deepEqual(
      chosen.missing.map(({ name }) => name),
      ['@x402/fastify'],
    );
  });
});

describe('npm asks what a package source serves', () => {
  const answering = (output: string, exitCode: number | undefined) => {
    const asked: (readonly string[])[] = [];
    const serves = packageSource(async (args) => {
      asked.push(args);
      return { output, exitCode };
    });
    return { asked, serves: () => serves('@x402/core', '2.21.0') };
  };

  it('one version at a time, without a second try', async () => {
    const { asked, serves } = answering('"2.21.0"\n', 0);
    assert.equal(await serves(), true);
    assert.deepEqual(asked, [
      ['view', '@x402/core@2.21.0', 'version', '--json', '--fetch-retries=0'],
    ]);
  });

  it('an unknown package or version is not served', async () => {
    const unknown = [
      '{"error":{"code":"E404","summary":"Not Found"}}',
      '{"error":{"code":"ETARGET"}}',
    ];
    for (const output of unknown) assert.equal(await answering(output, 1).serves(), false);
    assert.equal(await answering('', 0).serves(), false, 'an older npm says nothing');
  });

  it('offline, too slow, without npm, or after a strange answer it counts as served', async () => {
    assert.equal(await answering('{"error":{"code":"ECONNREFUSED"}}', 1).serves(), true);
    assert.equal(await answering('', undefined).serves(), true);
    assert.equal(await answering('', 1).serves(), true);
    assert.equal(await answering('<html>', 0).serves(), true);
    assert.equal(await answering('null', 0).serves(), true);
  });
});

describe('an override is written where the package manager reads it', () => {
  const manifest = '{\n\t"name": "p"\n}\n';

  it('npm and bun: overrides; yarn: resolutions; pnpm: its own part', () => {
    assert.equal(
      withOverrides(manifest, 'npm'),
      '{\n\t"name": "p",\n\t"overrides": {\n\t\t"viem": "2.48.11"\n\t}\n}\n',
    );
    assert.match(withOverrides(manifest, 'yarn@berry') ?? '', /"resolutions": \{\s*"viem"/);
    assert.match(withOverrides(manifest, 'pnpm') ?? '', /"pnpm": \{\s*"overrides": \{\s*"viem"/);
  });

  it('line endings and existing entries stay', () => {
    const windows = '{\r\n  "name": "p"\r\n}\r\n';
    assert.ok(!/[^\r]\n/.test(withOverrides(windows, 'npm') ?? ''));
    assert.equal(withOverrides('{"overrides":{"viem":"2.0.0"}}', 'npm'), undefined);
    assert.equal(withOverrides('no json', 'npm'), undefined);
  });
});
