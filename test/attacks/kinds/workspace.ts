import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliProcess, temporaryFolder } from '../../cli/cliProcess.ts';
import type { Attack, AttackTable } from '../attack.ts';
import type { World } from '../world.ts';

const PAY_TO = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
/** A recipient that a project names. */
const THIEF = 'GCA2YZDJXO3VHRGPGIDFMWDRFK5XPMDSH5CAHR5IT34CMQWOZNRM5MQO';
const APP = `import express from 'express';

const app = express();

app.get('/quote', (_req, res) => {
  res.json({ price: 1 });
});
`;
const SECRET = 'secret-of-the-environment-0123456789';
/** Where the program may keep its own compiled code. */
const CACHE = join(tmpdir(), 'attacks-cache');
/** Longer than any honest project takes, on a busy machine too. */
const PATIENCE_MS = 90_000;

interface Project {
  readonly path: string;
  /** The file with the route. */
  readonly app: string;
  /** What code of the project would write if it ran. */
  readonly mark: string;
  /** A server that a project may name; what it was asked. */
  readonly registry: string;
  readonly asked: string[];
}

/** Code that leaves a mark if it is ever executed. */
const sprung = ({ mark }: Project): string =>
  `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '');`;

/** Builds a project, adds a payment to its route without consent to anything else, and looks at what happened. */
async function tryProject(world: World, build: (project: Project) => unknown): Promise<string> {
  const folder = temporaryFolder();
  const asked: string[] = [];
  const registry = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? ''}`);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const { port } = registry.address() as AddressInfo;
  const path = join(folder.path, 'project');
  mkdirSync(join(path, 'src'), { recursive: true });
  const project: Project = {
    path,
    app: join(path, 'src', 'app.ts'),
    mark: join(folder.path, 'mark'),
    registry: `http://127.0.0.1:${port}`,
    asked,
  };
  writeFileSync(project.app, APP);
  writeFileSync(join(path, 'package.json'), '{"name":"a","type":"module"}');
  try {
    const built = build(project);
    const file = typeof built === 'string' ? built : project.app;
    const running = new CliProcess(['add', file, '--pay-to', PAY_TO], {
      SVC_X402_DATA_DIR: folder.path,
      HOME: join(world.outside, 'home'),
      XDG_CACHE_HOME: CACHE,
      MY_SECRET: SECRET,
      PATH: `${join(path, 'bin')}:${process.env['PATH'] ?? ''}`,
    });
    const timer = setTimeout(() => running.signal('SIGKILL'), PATIENCE_MS);
    const { code, stdout, stderr } = await running.ended;
    clearTimeout(timer);
    world.see(stdout);
    world.see(stderr);
    if (code === null) return 'it did not end';
    if (existsSync(project.mark)) return 'code of the project ran';
    if (asked.length > 0) return `a server of the project was asked: ${asked.join(', ')}`;
    if (readFileSync(project.app, 'utf8').includes(THIEF)) return 'a thief is paid';
    if (`${stdout}${stderr}`.includes(SECRET)) return 'a secret was printed';
    return code === 0 ? 'added, and nothing else' : 'refused in words';
  } finally {
    registry.closeAllConnections();
    registry.close();
    folder.remove();
  }
}

const ADDED = 'added, and nothing else';
const WORDS = 'refused in words';

function project(
  name: string,
  refused: string,
  build: (project: Project, world: World) => unknown,
): Attack<World> {
  return { name, refused, run: (world) => tryProject(world, (of) => build(of, world)) };
}

function write(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

function program(path: string, text: string): void {
  write(path, text);
  chmodSync(path, 0o755);
}

/** Projects whose user has agreed to nothing yet: `svc-x402 add FILE`. */
export const WORKSPACE: AttackTable<World> = {
  kind: 'workspace',
  attacks: [
    project('.npmrc whose registry gets a secret of the environment', ADDED, ({ path, registry }) =>
      write(
        join(path, '.npmrc'),
        `registry=${registry}/\${MY_SECRET}/\n//127.0.0.1/:_authToken=\${MY_SECRET}\n`,
      ),
    ),
    project('.npmrc with a script shell and a prefix of its own', ADDED, (of) => {
      program(join(of.path, 'sh'), `#!/bin/sh\ntouch ${of.mark}\n`);
      write(join(of.path, '.npmrc'), `script-shell=${join(of.path, 'sh')}\nprefix=${of.path}\n`);
    }),
    project('npm, npx, npm.cmd and node in the project and first in PATH', ADDED, (of) => {
      for (const name of ['npm', 'npx', 'npm.cmd', 'pnpm', 'yarn', 'git']) {
        for (const folder of ['', 'bin', 'node_modules/.bin']) {
          program(join(of.path, folder, name), `#!/bin/sh\ntouch ${of.mark}\n`);
        }
      }
    }),
    project('scripts of package.json', ADDED, (of) =>
      write(
        join(of.path, 'package.json'),
        JSON.stringify({
          name: 'a',
          scripts: { preinstall: `touch ${of.mark}`, prepare: `touch ${of.mark}` },
        }),
      ),
    ),
    project('configurations that are programs', ADDED, (of) => {
      for (const name of [
        '.pnpmfile.cjs',
        'next.config.js',
        'eslint.config.js',
        '.prettierrc.js',
        'prettier.config.cjs',
        'biome.js',
        '.yarnrc.cjs',
      ]) {
        write(join(of.path, name), sprung(of));
      }
    }),
    project('a plugin of Prettier', ADDED, (of) => {
      write(join(of.path, 'evil.cjs'), sprung(of));
      write(join(of.path, '.prettierrc'), '{"plugins":["./evil.cjs"]}');
    }),
    project('a package named like those that are added', ADDED, (of) => {
      for (const name of ['@x402/express', '@x402/core', 'express', 'typescript']) {
        const folder = join(of.path, 'node_modules', name);
        write(join(folder, 'package.json'), '{"version":"5.1.0","main":"index.js"}');
        write(join(folder, 'index.js'), sprung(of));
      }
    }),
    project('.npmrc and .env with NODE_OPTIONS', ADDED, (of) => {
      write(join(of.path, 'evil.cjs'), sprung(of));
      write(
        join(of.path, '.env'),
        `NODE_OPTIONS=--require=${join(of.path, 'evil.cjs')}\nPAY_TO=GATTACKER\n`,
      );
      write(join(of.path, '.npmrc'), `node-options=--require=${join(of.path, 'evil.cjs')}\n`);
    }),
    project(
      '.env with another facilitator, network and recipient',
      ADDED,
      ({ path, registry, app }) => {
        const lines = ['FACILITATOR_URL', 'STELLAR_RPC_URL', 'HORIZON_URL'].map(
          (name) => `${name}=${registry}\n`,
        );
        for (const name of ['.env', '.env.local', 'src/.env']) {
          write(join(path, name), `${lines.join('')}SVC_X402_PAY_TO=${THIEF}\nPAY_TO=${THIEF}\n`);
        }
        return app;
      },
    ),
    project('package.json as a FIFO', ADDED, ({ path }) => {
      execFileSync('rm', [join(path, 'package.json')]);
      execFileSync('mkfifo', [join(path, 'package.json')]);
    }),
    project('the file itself as a FIFO', WORDS, ({ path }) => {
      execFileSync('mkfifo', [join(path, 'src', 'fifo.ts')]);
      return join(path, 'src', 'fifo.ts');
    }),
    project('package.json as a link to /dev/zero', ADDED, ({ path }) => {
      execFileSync('rm', [join(path, 'package.json')]);
      symlinkSync('/dev/zero', join(path, 'package.json'));
    }),
    project('a file of 64 MiB', WORDS, ({ path }) => {
      const file = join(path, 'src', 'large.ts');
      writeFileSync(file, APP);
      truncateSync(file, 64 << 20);
      return file;
    }),
    project('20,000 brackets', WORDS, ({ app }) =>
      write(app, `${APP}const a = ${'['.repeat(20_000)}`),
    ),
    project('a link out of the project, beside the file', ADDED, ({ path }, { outside }) =>
      symlinkSync(join(outside, 'app.ts'), join(path, 'src', 'other.ts')),
    ),
    project('package.json with 100,000 brackets', ADDED, ({ path }) =>
      write(join(path, 'package.json'), '['.repeat(100_000)),
    ),
    project(
      'a tsconfig that extends itself, and a file outside',
      // What cannot be read of the settings decides nothing about the code.
      ADDED,
      ({ path }, { outside }) => {
        write(join(path, 'tsconfig.json'), `{"extends":["./tsconfig.json","${outside}/app.ts"]}`);
      },
    ),
    project('a package manager that is a command', ADDED, (of) =>
      write(
        join(of.path, 'package.json'),
        JSON.stringify({ name: 'a', packageManager: `sh -c "touch ${of.mark}" #@1.0.0` }),
      ),
    ),
    project('words of package.json that want to be code', ADDED, (of) => {
      const name = `'}); require('child_process').execSync('touch ${of.mark}'); ({x:'`;
      write(
        join(of.path, 'package.json'),
        JSON.stringify({ name, type: 'module', description: name }),
      );
    }),
    {
      name: 'a change of the project before it is agreed to: the listing of routes',
      refused: 'nothing written',
      async run(world) {
        const folder = temporaryFolder();
        try {
          const app = join(folder.path, 'app.ts');
          writeFileSync(app, APP);
          const { stdout, stderr } = await new CliProcess(['list', folder.path], {
            HOME: join(world.outside, 'home'),
            XDG_CACHE_HOME: CACHE,
            SVC_X402_DATA_DIR: join(folder.path, 'data'),
          }).ended;
          world.see(stdout + stderr);
          const isSame = readFileSync(app, 'utf8') === APP;
          const names = readdirSync(folder.path).filter((name) => name !== 'data');
          return isSame && names.length === 1 ? 'nothing written' : names.join();
        } finally {
          folder.remove();
        }
      },
    },
  ],
};
