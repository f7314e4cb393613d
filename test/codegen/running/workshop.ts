import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lineNumber, withOverrides } from '../../../src/codegen/index.ts';
import { Child } from './child.ts';
import type { Fixture } from './fixtureList.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const cli = join(root, 'dist', 'cli.js');
/** Package managers besides npm, in the versions that are installed for the fixtures. */
const MANAGERS = { pnpm: 'pnpm@9.15.9', deno: 'deno@2.9.6', bun: 'bun@1.3.4' } as const;

/** What the fixtures are sold through and paid with. */
interface Market {
  readonly facilitatorUrl: string;
  readonly payTo: string;
}

/** A folder in which copies of the fixtures are changed, installed and started. */
export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-x402-fixtures-'));
  readonly #tools = join(this.folder, '.tools');
  readonly #managers = new Map<string, Promise<void>>();

  async #run(
    command: string,
    args: readonly string[],
    folder: string,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Child> {
    const child = new Child(command, args, folder, { ...this.#environment(), ...environment });
    await child.succeeds();
    return child;
  }

  /** npm asks the package source again for what it has just read, without the option that its cache will do. */
  #environment(): Readonly<Record<string, string>> {
    return { PATH: this.#path(), npm_config_prefer_offline: 'true' };
  }

  #path(): string {
    // As a package manager is installed for a machine: programs of node_modules/.bin are a project's.
    return [join(this.#tools, 'bin'), process.env['PATH'] ?? ''].join(delimiter);
  }

  /** Copies a fixture and installs what its own package.json asks for. */
  async copy({ name, manager }: Fixture): Promise<string> {
    const folder = join(this.folder, name);
    cpSync(join(root, 'test', 'codegen', 'fixtures', name), folder, { recursive: true });
    if (manager === 'npm') {
      await this.#run('npm', ['install', '--no-audit', '--no-fund'], folder);
      return folder;
    }
    // Two fixtures run at a time, and an install replaces what the other one uses.
    const installed = this.#managers.get(manager) ?? this.#installManager(MANAGERS[manager]);
    this.#managers.set(manager, installed);
    await installed;
    const more = manager === 'pnpm' ? ['--no-frozen-lockfile'] : [];
    await this.#run(manager, ['install', ...more], folder);
    return folder;
  }

  async #installManager(name: string): Promise<void> {
    mkdirSync(this.#tools, { recursive: true });
    const machine = ['install', '--global', '--prefix', this.#tools, '--no-audit', '--no-fund'];
    await this.#run('npm', [...machine, name], this.#tools);
  }

  /** The program that runs a fixture. */
  #program({ manager }: Fixture): string {
    const isRuntime = manager === 'deno' || manager === 'bun';
    return isRuntime ? join(this.#tools, 'bin', manager) : process.execPath;
  }

  /** Runs `svc-x402 add` for each route, the last time with the install. */
  async change(fixture: Fixture, { facilitatorUrl, payTo }: Market): Promise<void> {
    for (const [index, route] of fixture.routes.entries()) {
      const path = join(this.folder, fixture.name, route.file);
      const text = readFileSync(path, 'utf8');
      const offset = text.indexOf(route.at);
      if (offset < 0) throw new Error(`${route.file} has no ${route.at}`);
      const terms = ['--price', '0.01', '--pay-to', payTo, '--facilitator-url', facilitatorUrl];
      const last = index === fixture.routes.length - 1;
      const args = ['add', `${path}:${lineNumber(text, offset)}`, ...terms];
      if (last && fixture.adapter) await this.#addWithAdapter(args, fixture);
      else await this.#run(process.execPath, [cli, ...args, ...(last ? INSTALL : [])], this.folder);
    }
  }

  /** If the adapter's package is not served, the others are installed and ours replaces it. */
  async #addWithAdapter(args: readonly string[], { name }: Fixture): Promise<void> {
    const added = new Child(
      process.execPath,
      [cli, ...args, ...INSTALL],
      this.folder,
      this.#environment(),
    );
    const served = await added.succeeds().then(
      () => true,
      () => false,
    );
    if (served) return;
    if (!/does not serve @x402\/fastify@|404 .*@x402%2ffastify/.test(added.said()))
      throw new Error(added.said());
    const folder = join(this.folder, name);
    const manifest = join(folder, 'package.json');
    writeFileSync(manifest, withOverrides(readFileSync(manifest, 'utf8'), 'npm') ?? '');
    const packages = ['@x402/core@2.21.0', '@x402/stellar@2.9.0', '@x402/extensions@2.21.0'];
    await this.#run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--save-exact', ...packages],
      folder,
    );
    const adapter = join(folder, 'node_modules', '@x402', 'fastify');
    cpSync(join(root, 'test', 'codegen', 'running', 'fastifyAdapter'), adapter, {
      recursive: true,
    });
    const declared = join(root, 'test', 'codegen', 'declarations', 'x402', 'fastify.d.ts');
    cpSync(declared, join(adapter, 'index.d.ts'));
    console.log(`# ${name}: @x402/fastify is not served here; it ran with an adapter of the tests`);
  }

  /** Runs the fixture's own compiler. */
  async build(fixture: Fixture, facilitatorUrl: string): Promise<void> {
    const folder = join(this.folder, fixture.name, fixture.folder);
    if (fixture.manager === 'deno') {
      for (const args of fixture.build) await this.#run('deno', args, folder);
      return;
    }
    for (const [program = '', ...args] of fixture.build) {
      const path = join(folder, 'node_modules', program);
      if (!existsSync(path)) throw new Error(`${program} is not installed`);
      await this.#run(process.execPath, [path, ...args], folder, {
        FACILITATOR_URL: facilitatorUrl,
      });
    }
  }

  /** Starts the fixture's app on any port. */
  async start(fixture: Fixture): Promise<{ readonly app: Child; readonly origin: string }> {
    const folder = join(this.folder, fixture.name, fixture.folder);
    // No FACILITATOR_URL: the address that was written into the code is used.
    const app = new Child(this.#program(fixture), fixture.start, folder, { PORT: '0' });
    const match = await app.line(/^PORT (\d+)|http:\/\/(?:127\.0\.0\.1|localhost):(\d+)/);
    return { app, origin: `http://127.0.0.1:${match[1] ?? match[2]}` };
  }

  /** Runs `svc-x402 check` on the fixture's package, which starts an app of its own. */
  async check({ name, folder, start, manager }: Fixture): Promise<string> {
    const at = join(this.folder, name, folder);
    const program = manager === 'deno' || manager === 'bun' ? manager : 'node';
    const line = [program, ...start.filter((word) => !['--port', '0'].includes(word))].join(' ');
    const child = await this.#run(process.execPath, [cli, 'check', at, '--start', line], at);
    return child.lines.join('\n');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const INSTALL = ['--install', '--with-overrides'];
