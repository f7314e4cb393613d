import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { chromiumProgram, openProfile, removeProfile } from '../support/chromium.ts';

interface Message {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

/** Chromium over the pipe of its DevTools protocol: messages that end in a NUL. */
class DevTools {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #last = 0;
  #rest = '';

  constructor(child: ChildProcess) {
    this.#child = child;
    const [, , , , output] = child.stdio;
    (output as Readable).on('data', (chunk: Buffer) => {
      const parts = (this.#rest + chunk.toString()).split('\0');
      this.#rest = parts.pop() ?? '';
      for (const part of parts) {
        const message = JSON.parse(part) as Message;
        this.#waiting.get(message.id ?? 0)?.(message);
      }
    });
  }

  async send(
    method: string,
    params: object = {},
    sessionId?: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    this.#last += 1;
    const id = this.#last;
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    const [, , , input] = this.#child.stdio;
    (input as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result, error } = await answered;
    this.#waiting.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }
}

/** A browser with a page of an attacker's site in it. */
export class HostileBrowser {
  readonly #child: ChildProcess;
  readonly #tools: DevTools;
  readonly #servers: readonly Server[];
  readonly #profile: string;
  readonly #page: string;
  readonly #publicPage: string;

  private constructor(parts: {
    child: ChildProcess;
    tools: DevTools;
    servers: readonly Server[];
    profile: string;
    page: string;
    publicPage: string;
  }) {
    this.#child = parts.child;
    this.#tools = parts.tools;
    this.#servers = parts.servers;
    this.#profile = parts.profile;
    this.#page = parts.page;
    this.#publicPage = parts.publicPage;
  }

  static async open(): Promise<HostileBrowser> {
    const program = chromiumProgram();
    if (program === undefined) throw new Error('there is no Chromium: set CHROMIUM');
    const servers = [await servePage(), await servePage()] as const;
    const [page, publicPage] = servers.map((server) => (server.address() as AddressInfo).port);
    const profile = openProfile();
    const child = spawn(
      program,
      [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--remote-debugging-pipe',
        `--user-data-dir=${profile}`,
        // Every name of the attacker leads to this machine, as after DNS rebinding.
        '--host-resolver-rules=MAP *.evil.test 127.0.0.1',
        // One of the two pages counts as served from the public internet (Private Network Access).
        `--ip-address-space-overrides=127.0.0.1:${publicPage}=public`,
        'about:blank',
      ],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
    );
    return new HostileBrowser({
      child,
      tools: new DevTools(child),
      servers,
      profile,
      page: `http://page.evil.test:${page}/`,
      publicPage: `http://public.evil.test:${publicPage}/`,
    });
  }

  /** Runs an async function body in a page of the attacker's, and returns its text. */
  script(body: string, from: 'local' | 'public' = 'local'): Promise<string> {
    return this.#inPage(from === 'local' ? this.#page : this.#publicPage, async (session) =>
      this.#evaluate(session, body),
    );
  }

  /** Opens a URL as a page of its own, and runs a function body there. */
  at(url: string, body: string): Promise<string> {
    return this.#inPage(url, (session) => this.#evaluate(session, body));
  }

  /** Frames a URL in the attacker's page, and returns the URL that the frame has in the end. */
  frame(url: string): Promise<string> {
    return this.#inPage(this.#page, async (session) => {
      await this.#evaluate(
        session,
        `const frame = document.createElement('iframe');
        const loaded = new Promise((resolve) => { frame.onload = resolve; setTimeout(resolve, 10000); });
        frame.src = ${JSON.stringify(url)};
        document.body.append(frame);
        await loaded;
        return '';`,
      );
      const { frameTree } = (await this.#tools.send('Page.getFrameTree', {}, session)) as {
        frameTree: { childFrames?: { frame: { url: string } }[] };
      };
      const [child] = frameTree.childFrames ?? [];
      if (child !== undefined) return child.frame.url;
      // A frame of another site, or of an error, is a target of its own.
      const { targetInfos } = (await this.#tools.send('Target.getTargets', {
        filter: [{ type: 'iframe', exclude: false }],
      })) as { targetInfos: { targetId: string }[] };
      const targetId = targetInfos[0]?.targetId;
      if (targetId === undefined) return 'no frame';
      const attached = await this.#tools.send('Target.attachToTarget', { targetId, flatten: true });
      // A target names the URL that was asked for; the document says what it is.
      return this.#evaluate(attached['sessionId'] as string, 'return location.href;');
    });
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.kill('SIGKILL');
    await ended;
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
    await removeProfile(this.#profile);
  }

  async #inPage<T>(url: string, work: (session: string) => Promise<T>): Promise<T> {
    const { targetId } = await this.#tools.send('Target.createTarget', { url: 'about:blank' });
    const attached = await this.#tools.send('Target.attachToTarget', { targetId, flatten: true });
    const session = attached['sessionId'] as string;
    await this.#tools.send('Page.enable', {}, session);
    await this.#tools.send('Page.navigate', { url }, session);
    await this.#evaluate(
      session,
      `if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve));
      return '';`,
    );
    try {
      return await work(session);
    } finally {
      await this.#tools.send('Target.closeTarget', { targetId });
    }
  }

  async #evaluate(session: string, body: string): Promise<string> {
    const { result, exceptionDetails } = (await this.#tools.send(
      'Runtime.evaluate',
      { expression: `(async () => { ${body} })()`, awaitPromise: true, returnByValue: true },
      session,
    )) as { result: { value?: unknown }; exceptionDetails?: { text: string } };
    return exceptionDetails === undefined ? String(result.value) : exceptionDetails.text;
  }
}

async function servePage(): Promise<Server> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<title>evil</title><body></body>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
