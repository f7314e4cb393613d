import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { codeBlocks } from '../docs/commands/codeBlocks.ts';
import { projectFile, projectRoot } from '../docs/pages/projectFile.ts';
import { openTestNetwork, type TestNetwork } from '../helpers/facilitators/openTestNetwork.ts';
import { freePort } from '../store/privatePostgres.ts';
import { fillIn, isInstalled, openFolder, rootMissing, start, variables } from './machine.ts';

const UNIT = projectFile('deploy/svc-x402.service');
/** `nobody`, who stands for the user that systemd makes for `DynamicUser`. */
const UNPRIVILEGED = 65_534;

function setting(name: string): string {
  const [, value = ''] = new RegExp(`^${name}=(.*)$`, 'm').exec(UNIT) ?? [];
  return value;
}

/** The commands of docs/operating.md that install the unit. */
function installCommands(): string {
  const block = codeBlocks('sh').find(
    ({ page, text }) => page === 'docs/operating.md' && text.includes('/etc/systemd/system/'),
  );
  assert.ok(block);
  return block.text;
}

/**
 * A shell script that gives its process `/opt`, `/etc`, `/var/lib` and `/var/cache` of its own, so that commands can install
 * something in them. What is written stays in `layers`.
 */
function withOwnFolders(layers: string): string {
  const overlays = ['opt', 'etc', 'var/lib', 'var/cache'].map((name) => {
    const at = `${layers}/${name.replace('/', '-')}`;
    return (
      `mkdir -p ${at}/upper ${at}/work && ` +
      `mount -t overlay overlay -o lowerdir=/${name},upperdir=${at}/upper,workdir=${at}/work /${name}`
    );
  });
  return ['set -e', ...overlays].join('\n');
}

describe('The systemd unit', { skip: rootMissing ?? false }, () => {
  const folder = openFolder('unit');
  const layers = join(folder.path, 'layers');
  const home = join(folder.path, 'home');
  let network: TestNetwork;

  before(async () => {
    for (const path of [layers, home]) mkdirSync(path);
    // Overlays need an upper layer that is not an overlay itself.
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', layers]);
    network = await openTestNetwork({ folder: folder.path, name: 'the unit' });
  });
  after(async () => {
    await network.close();
    spawnSync('umount', [layers]);
    folder.remove();
  });

  /** Runs a script as root in the file system of this test. */
  function run(script: string) {
    const { PATH = '' } = process.env;
    return spawnSync('unshare', ['--mount', 'sh', '-c', `${withOwnFolders(layers)}\n${script}`], {
      cwd: projectRoot,
      encoding: 'utf8',
      env: { PATH, HOME: home },
    });
  }

  it('[finding: O3] is installed by the commands of the page, unchanged, with an empty HOME', () => {
    // Not every container has a running systemd; the next tests run its commands.
    const commands = installCommands()
      .split('\n')
      .filter((line) => !/^(systemctl|journalctl) /.test(line));
    assert.ok(commands.length >= 4);
    const { status, stdout, stderr } = run(commands.join('\n'));
    assert.equal(status, 0, `${stdout}${stderr}`);
    const listed = run(
      'stat -c "%a %U %n" /etc/svc-x402/facilitator.env /etc/systemd/system/svc-x402.service; ' +
        'test -f /opt/svc-x402/node_modules/svc-x402/dist/cli.js && echo installed',
    );
    assert.equal(
      listed.stdout,
      '600 root /etc/svc-x402/facilitator.env\n644 root /etc/systemd/system/svc-x402.service\ninstalled\n',
    );
  });

  it('is valid for systemd', {
    skip: isInstalled('systemd-analyze') ? false : 'no systemd here',
  }, () => {
    const { status, stdout, stderr } = run(
      'systemd-analyze verify /etc/systemd/system/svc-x402.service',
    );
    assert.doesNotMatch(`${stdout}${stderr}`, /svc-x402\.service/);
    assert.equal(status, 0);
  });

  it('its exact command serves as a user without rights, and ends with 0 on SIGTERM', async () => {
    const [port, operatorPort] = [await freePort(), await freePort()];
    const filled = fillIn(projectFile('deploy/facilitator.env.example'), {
      ...network.environment,
      PORT: `${port}`,
      OPERATOR_PORT: `${operatorPort}`,
    });
    const environment = {
      ...Object.fromEntries(
        [...UNIT.matchAll(/^Environment=([A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
          name,
          value,
        ]),
      ),
      ...variables(filled),
    };
    const folders = ['StateDirectory', 'CacheDirectory'].map((name, at) => {
      const path = `${['/var/lib', '/var/cache'][at]}/${setting(name)}`;
      return `install -d -m 0700 -o ${UNPRIVILEGED} -g ${UNPRIVILEGED} ${path}`;
    });
    const script = [
      withOwnFolders(layers),
      ...folders,
      `umask ${setting('UMask')}`,
      `exec setpriv --reuid=${UNPRIVILEGED} --regid=${UNPRIVILEGED} --clear-groups --no-new-privs ${setting('ExecStart')}`,
    ].join('\n');
    const service = start(['unshare', '--mount', 'sh', '-c', script], environment);
    await service.event('serving');
    const ready = await fetch(`http://127.0.0.1:${port}/ready`);
    assert.equal(ready.status, 200);
    assert.equal((await fetch(`http://127.0.0.1:${operatorPort}/metrics`)).status, 200);

    const status = run(
      'node /opt/svc-x402/node_modules/svc-x402/dist/cli.js facilitator status --data-dir /var/lib/svc-x402',
    );
    assert.equal(status.status, 0, status.stderr);
    assert.match(
      status.stdout,
      /Payments +ready\n +Open settlements +0; 0 requests in flight here/,
    );
    const owner = run('stat -c "%a %u" /var/lib/svc-x402/service.json');
    assert.equal(owner.stdout, `600 ${UNPRIVILEGED}\n`);

    assert.equal(await service.stop('SIGTERM'), 0, service.output());
    assert.ok(!service.output().includes(network.environment['SPONSOR_SECRET'] ?? 'missing'));
  });

  it('its command ends with the status that stops restarts if the settings are wrong', () => {
    const script = `exec ${setting('ExecStart')} --data-dir ${folder.path}/wrong`;
    const { status, stderr, stdout } = run(`SPONSOR_SECRET=abc ${script.replace('exec ', '')}`);
    assert.equal(String(status), setting('RestartPreventExitStatus'), `${stdout}${stderr}`);
  });
});

describe('The example of the settings', () => {
  it('[finding: O4] leaves the address to the program and the image, which differ', () => {
    assert.deepEqual(
      Object.keys(
        variables(readFileSync(join(projectRoot, 'deploy/facilitator.env.example'), 'utf8')),
      ).filter((name) => name.endsWith('HOST')),
      [],
    );
  });
});
