import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { CliProcess } from '../cli/cliProcess.ts';
import { projectFile } from '../docs/pages/projectFile.ts';
import {
  fillIn,
  isInstalled,
  openFolder,
  packPackage,
  rootMissing,
  type Started,
  start,
  variables,
} from './machine.ts';

/** The addresses of both ends of the wire between the container's network namespace and this one. */
const HERE = '10.77.81.1';
const THERE = '10.77.81.2';
const NAMESPACE = `svcx402-${process.pid}`;
/** The name of a network interface has at most 15 characters. */
const WIRE = `svc${process.pid}`;
const HOST_NAME = 'svc-x402-container';
/** `node` in Node's images. */
const IMAGE_USER = 1_000;

interface Step {
  readonly name: string;
  readonly text: string;
}

/** The instructions of the container file, in order. */
const steps: readonly Step[] = projectFile('deploy/Containerfile')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [, name = '', text = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
    return { name, text };
  });

const textOf = (name: string) => steps.find((step) => step.name === name)?.text ?? '';

/** The variables that the image sets. */
const imageVariables = variables(
  steps
    .filter(({ name }) => name === 'ENV')
    .map(({ text }) => text.replaceAll(' ', '\n'))
    .join('\n'),
);

/**
 * Enters the image's file system. Its base is not to be had without a registry of images, so Debian and Node of this machine take
 * its place, read-only; everything else is of the image alone.
 */
function enter(root: string): string {
  return [
    'set -e',
    `mount --bind -o ro /usr ${root}/usr`,
    `mount -t proc proc ${root}/proc`,
    `mount --bind /dev ${root}/dev`,
    `hostname ${HOST_NAME}`,
  ].join('\n');
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const missing =
  rootMissing ??
  (isInstalled('ip') && spawnSync('unshare', ['--net', 'true']).status === 0
    ? undefined
    : 'needs `ip` and network namespaces');

describe('The container', { skip: missing ?? false }, () => {
  const folder = openFolder('container');
  const root = join(folder.path, 'root');
  const sponsor = Keypair.random();
  let ledger: CliProcess;
  let rpcUrl = '';
  let seed = '';

  /** Runs a command in the image: as a user, with variables, and in a network namespace or with none. */
  function inImage(
    command: string,
    options: {
      readonly user: number;
      readonly environment: Readonly<Record<string, string>>;
      readonly network: string | undefined;
    },
  ): readonly string[] {
    const { user, environment, network } = options;
    const set = Object.entries(environment).map(([name, value]) => quoted(`${name}=${value}`));
    const script = [
      enter(root),
      `exec chroot --userspec=${user}:${user} --groups= ${root} /usr/bin/env -i ${set.join(' ')} ` +
        `sh -c ${quoted(`cd ${textOf('WORKDIR')} && ${command}`)}`,
    ].join('\n');
    const namespaces = ['--mount', '--uts', '--pid', '--fork', '--kill-child'];
    return network === undefined
      ? ['unshare', ...namespaces, '--net', 'sh', '-c', script]
      : ['ip', 'netns', 'exec', network, 'unshare', ...namespaces, 'sh', '-c', script];
  }

  before(async () => {
    execFileSync('ip', ['netns', 'add', NAMESPACE]);
    for (const args of [
      `link add ${WIRE} type veth peer name eth0 netns ${NAMESPACE}`,
      `addr add ${HERE}/30 dev ${WIRE}`,
      `link set ${WIRE} up`,
      `-n ${NAMESPACE} addr add ${THERE}/30 dev eth0`,
      `-n ${NAMESPACE} link set eth0 up`,
      `-n ${NAMESPACE} link set lo up`,
    ]) {
      execFileSync('ip', args.split(' '));
    }
    ledger = new CliProcess(['ledger', '--in-memory', '--json', '--port', '0', '--host', HERE], {
      SVC_X402_DATA_DIR: join(folder.path, 'network'),
    });
    const { network } = (await ledger.event('serving')) as {
      network: { rpcUrl: string; friendbotUrl: string };
    };
    rpcUrl = network.rpcUrl.replace(new URL(network.rpcUrl).hostname, HERE);
    await fetch(`${network.friendbotUrl}?addr=${sponsor.publicKey()}`);
    seed = execFileSync('openssl', ['rand', '-hex', '32'], { encoding: 'utf8' }).trim();
    const create = new CliProcess(['facilitator', 'create-channels', '--json'], {
      SVC_X402_DATA_DIR: join(folder.path, 'channels'),
      STELLAR_RPC_URL: network.rpcUrl,
      SPONSOR_SECRET: sponsor.secret(),
      CHANNEL_SEED: seed,
    });
    const { code, stderr } = await create.ended;
    assert.equal(code, 0, stderr);
  });
  after(async () => {
    await ledger.stop('SIGTERM');
    spawnSync('ip', ['link', 'del', WIRE]);
    spawnSync('ip', ['netns', 'del', NAMESPACE]);
    folder.remove();
  });

  it('is built by the steps of the file, without a network', () => {
    for (const name of ['usr', 'proc', 'dev', 'etc', 'tmp', 'root']) {
      mkdirSync(join(root, name), { recursive: true });
    }
    execFileSync('chmod', ['1777', join(root, 'tmp')]);
    for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
      execFileSync('ln', ['-s', `usr/${name}`, join(root, name)]);
    }
    writeFileSync(
      join(root, 'etc/passwd'),
      `root:x:0:0:root:/root:/bin/sh\nnode:x:${IMAGE_USER}:${IMAGE_USER}::/home/node:/bin/sh\n`,
    );
    writeFileSync(join(root, 'etc/group'), `root:x:0:\nnode:x:${IMAGE_USER}:\n`);
    writeFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost\n${THERE} ${HOST_NAME}\n`);
    mkdirSync(join(root, textOf('WORKDIR')), { recursive: true });

    const packed = packPackage(folder.path);
    assert.match(textOf('COPY'), /^svc-x402\.tgz \.\/$/);
    copyFileSync(packed, join(root, textOf('WORKDIR'), 'svc-x402.tgz'));
    const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/root' };
    const [program = '', ...args] = inImage(textOf('RUN'), {
      user: 0,
      environment,
      network: undefined,
    });
    const { status, stderr, stdout } = spawnSync(program, args, { encoding: 'utf8' });
    assert.equal(status, 0, `${stdout}${stderr}`);
  });

  /** Runs the image with a file of settings, as `podman run --env-file` does. */
  function runImage(settings: string): Started {
    const environment = {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      ...imageVariables,
      ...variables(settings),
    };
    const command = (JSON.parse(textOf('CMD')) as string[]).map(quoted).join(' ');
    assert.equal(textOf('USER'), 'node');
    return start(inImage(`exec ${command}`, { user: IMAGE_USER, environment, network: NAMESPACE }));
  }

  /** Runs the image's health check beside a running container. */
  function isHealthy(settings: string): boolean {
    const [, check = ''] = /CMD (.*)$/.exec(textOf('HEALTHCHECK')) ?? [];
    const environment = {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      ...imageVariables,
      ...variables(settings),
    };
    const [program = '', ...args] = inImage(check, {
      user: IMAGE_USER,
      environment,
      network: NAMESPACE,
    });
    return spawnSync(program, args).status === 0;
  }

  const settings = () =>
    fillIn(projectFile('deploy/facilitator.env.example'), {
      STELLAR_RPC_URL: rpcUrl,
      SPONSOR_SECRET: sponsor.secret(),
      CHANNEL_SEED: seed,
    });

  it('[finding: O4] with the example of the settings, is reached from another network namespace and healthy', async () => {
    const container = runImage(settings());
    try {
      await container.event('serving');
      const { PORT, OPERATOR_PORT } = variables(settings());
      assert.equal((await fetch(`http://${THERE}:${PORT}/ready`)).status, 200);
      assert.equal((await fetch(`http://${THERE}:${PORT}/metrics`)).status, 404);
      assert.equal((await fetch(`http://${THERE}:${OPERATOR_PORT}/metrics`)).status, 200);
      assert.ok(isHealthy(settings()), container.output());
    } finally {
      await container.stop();
    }
  });

  it('[finding: O4] is unhealthy if a setting makes it unreachable', async () => {
    const closed = `${settings()}HOST=127.0.0.1\n`;
    const container = runImage(closed);
    try {
      await container.event('serving');
      await assert.rejects(fetch(`http://${THERE}:4021/ready`));
      assert.equal(isHealthy(closed), false);
    } finally {
      await container.stop();
    }
  });
});
