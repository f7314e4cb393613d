import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runTool } from '../../clients/tool.ts';
import { sendRaw } from '../foreign/sendRaw.ts';
import { llhttpCases } from './llhttp.ts';
import { smugglingCases } from './smuggling.ts';
import type { StrictUpstream } from './strictUpstream.ts';

/** What is tried: a proxy, and what it forwards to. */
export interface Place {
  readonly port: number;
  readonly upstream: StrictUpstream;
  /** Folder of checkouts. */
  readonly checkouts: string;
}

/** What a tool found. */
export interface Found {
  readonly tool: string;
  readonly cases: number;
  readonly failures: readonly string[];
  /** Why it was not run. */
  readonly absent?: string;
}

const deno = fileURLToPath(new URL('deno.mjs', import.meta.url));
const SOLD = '/sold';

/** Runs cases, and adds what the upstream saw and should not have seen. */
async function watched(
  tool: string,
  { upstream }: Place,
  work: () => Promise<{ readonly cases: number; readonly failures: readonly string[] }>,
): Promise<Found> {
  const [targets, noted] = [upstream.targets.length, upstream.doubtful.length];
  const { cases, failures } = await work();
  const free = upstream.targets.slice(targets).filter((target) => target.startsWith(SOLD));
  const doubtful = upstream.doubtful.slice(noted);
  return {
    ...{ tool, cases },
    failures: [
      ...failures,
      ...free.map((target) => `${target} was forwarded without a payment`),
      ...doubtful.map((why) => `forwarded and doubtful: ${why}`),
    ],
  };
}

function absent(tool: string, reason: string): Found {
  return { tool, cases: 0, failures: [], absent: reason };
}

/** `h1spec`, unchanged, on the few functions of Deno that it uses. */
async function h1spec(place: Place): Promise<Found> {
  const program = join(place.checkouts, 'h1spec', 'http_test.ts');
  const tool = 'h1spec of uNetworking';
  if (!existsSync(program)) return absent(tool, 'no checkout h1spec');
  return watched(tool, place, async () => {
    // It gives answers 500 ms, which the first one of a new process may need.
    await sendRaw(place.port, Buffer.from('GET /free HTTP/1.1\r\nHost: a\r\n\r\n'));
    const run = await runTool(
      process.execPath,
      ['--import', 'tsx', '--import', deno, program, '127.0.0.1', String(place.port)],
      { cwd: fileURLToPath(new URL('.', import.meta.url)), seconds: 60 },
    );
    const lines = `${run.stdout}\n${run.stderr}`.split('\n');
    const failures = lines.filter((line) => line.startsWith('❌') || line.startsWith('Error'));
    const cases = lines.filter((line) => /^[✅❌]/u.test(line)).length;
    return { cases, failures: cases === 0 ? [lines.join(' ').slice(0, 300)] : failures };
  });
}

/** The requests in the tests of `llhttp`: none may reach the API that its strict reader does not read as a request. */
async function llhttp(place: Place): Promise<Found> {
  const checkout = join(place.checkouts, 'llhttp');
  const tool = 'llhttp, the requests of its tests';
  if (!existsSync(checkout)) return absent(tool, 'no checkout llhttp');
  return watched(tool, place, async () => {
    const cases = llhttpCases(checkout);
    const failures: string[] = [];
    for (const { name, bytes, requests } of cases) {
      const before = place.upstream.targets.length;
      await sendRaw(place.port, bytes, 200);
      const came = place.upstream.targets.length - before;
      if (came > requests) failures.push(`${name}: ${came} forwarded, ${requests} read by llhttp`);
    }
    return { cases: cases.length, failures };
  });
}

async function smuggling(place: Place): Promise<Found> {
  return watched('requests in bodies: CL.TE, TE.CL, TE.TE, CL.CL, CL.0', place, async () => {
    const cases = smugglingCases();
    const queue = cases.values();
    const worker = async (): Promise<void> => {
      for (const { bytes } of queue) await sendRaw(place.port, bytes, 300);
    };
    await Promise.all(Array.from({ length: 6 }, worker));
    return { cases: cases.length, failures: [] };
  });
}

/** `smuggler`, unchanged, with its usual list. */
async function smuggler(place: Place): Promise<Found> {
  const folder = join(place.checkouts, 'smuggler');
  const tool = 'smuggler of defparam, its default list';
  if (!existsSync(folder)) return absent(tool, 'no checkout smuggler');
  return watched(tool, place, async () => {
    const url = `http://127.0.0.1:${place.port}/free`;
    const options = ['smuggler.py', '-u', url, '--timeout', '2', '--no-color', '-m', 'POST'];
    const { stdout, stderr } = await runTool('python3', options, { cwd: folder, seconds: 280 });
    const lines = stdout.split(/[\n\r]+/);
    const cases = new Set(lines.flatMap((line) => /^\[([^\]]+)\]/.exec(line)?.[1]?.trim() ?? []))
      .size;
    const failures = lines.filter((line) => /issue found|potential/i.test(line));
    return { cases, failures: cases === 0 ? [stderr.slice(-300)] : failures };
  });
}

/** Slow headers, bodies and readers: meanwhile others are served, and the API has no connection of the slow ones. */
async function slow(place: Place): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const [name, options] of [
    ['-H, slow headers', ['-H', '-u', '/free']],
    ['-B, slow bodies', ['-B', '-u', '/free', '-s', '4096']],
    ['-B, slow bodies of a sold path', ['-B', '-u', SOLD, '-s', '4096']],
    ['-X, slow readers', ['-X', '-u', '/free', '-w', '1', '-y', '2', '-z', '1']],
  ] as const) {
    const tool = `slowhttptest ${name}`;
    const args = options.map((each) =>
      each.startsWith('/') ? `http://127.0.0.1:${place.port}${each}` : each,
    );
    const running = runTool(
      'slowhttptest',
      [...args, '-c', '200', '-r', '100', '-i', '2', '-l', '12', '-p', '3'],
      { cwd: place.checkouts, seconds: 40 },
    );
    found.push(
      await watched(tool, place, async () => {
        await pause(5_000);
        const connections = place.upstream.connections();
        const begun = performance.now();
        const answer = await fetch(`http://127.0.0.1:${place.port}/free`).then(
          ({ status }) => status,
          () => 0,
        );
        const ms = Math.round(performance.now() - begun);
        const { code, stderr } = await running;
        if (code === null) return { cases: 0, failures: [stderr] };
        return {
          cases: 200,
          failures: [
            ...(answer === 200 && ms < 3_000
              ? []
              : [`another client got ${answer} after ${ms} ms`]),
            ...(connections < 100 ? [] : [`${connections} connections to the API`]),
          ],
        };
      }),
    );
  }
  return found;
}

/** Oddities of curl, each with the statuses that are right. */
const CURL: readonly (readonly [name: string, args: readonly string[], right: RegExp])[] = [
  ['--path-as-is /free/../sold', ['--path-as-is', '/free/../sold'], /^400$/],
  ['--path-as-is //sold', ['--path-as-is', '//sold'], /^400$/],
  ['--request-target /sold', ['--request-target', '/sold', '/free'], /^402$/],
  [
    '--request-target of another host',
    ['--request-target', 'http://other/sold', '/free'],
    /^40[02]$/,
  ],
  ['--request-target *', ['--request-target', '*', '-X', 'OPTIONS', '/free'], /^(?:[245]\d\d)$/],
  ['-X get', ['-X', 'get', '/free'], /^(?:400|405)$/],
  ['-X with a space', ['-X', 'GET /sold HTTP/1.1\r\nHost: a\r\n\r\nGET', '/free'], /^(?:40\d)$/],
  ['--http0.9', ['--http0.9', '/free'], /^200$/],
  ['--http1.0', ['--http1.0', '/free'], /^200$/],
  ['--http2', ['--http2', '/free'], /^200$/],
  ['--http2-prior-knowledge', ['--http2-prior-knowledge', '/free'], /^(?:000|400)$/],
  ['--haproxy-protocol', ['--haproxy-protocol', '/free'], /^(?:000|400)$/],
  ['-T - (chunked)', ['-T', '/dev/null', '/free'], /^200$/],
  ['chunked form', ['-H', 'Transfer-Encoding: chunked', '-d', 'a=b', '/free'], /^200$/],
  ['Expect: 100-continue', ['-H', 'Expect: 100-continue', '-d', 'a=b', '/free'], /^200$/],
  ['Expect: other', ['-H', 'Expect: other', '-d', 'a=b', '/free'], /^(?:200|417)$/],
  ['no Host', ['-H', 'Host:', '/free'], /^400$/],
  ['an empty header', ['-H', 'X-Empty;', '/free'], /^200$/],
  ['--tr-encoding', ['--tr-encoding', '/free'], /^200$/],
  ['--compressed', ['--compressed', '/free'], /^200$/],
  ['-r 0-0', ['-r', '0-0', '/free'], /^20[06]$/],
  ['-I of a sold path', ['-I', '/sold'], /^200$/],
  ['-G -d', ['-G', '-d', '_method=GET', '/sold'], /^40[02]$/],
  ['a header of 60 kB', ['-H', `X-Long: ${'x'.repeat(60_000)}`, '/free'], /^(?:200|431)$/],
  ['a header of 70 kB', ['-H', `X-Long: ${'x'.repeat(70_000)}`, '/free'], /^431$/],
  [
    'Content-Length twice',
    ['-H', 'Content-Length: 3', '-H', 'Content-Length: 4', '-d', 'a=b', '/free'],
    /^400$/,
  ],
];

async function curl(place: Place): Promise<Found> {
  return watched('curl and its oddities', place, async () => {
    const failures: string[] = [];
    for (const [name, args, right] of CURL) {
      const at = args.map((arg, index) =>
        index === args.length - 1 ? `http://127.0.0.1:${place.port}${arg}` : arg,
      );
      const shown = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '--max-time', '8'];
      const { stdout } = await runTool('curl', [...shown, ...at], { cwd: '/', seconds: 10 });
      if (!right.test(stdout)) failures.push(`${name}: ${stdout}, not ${right.source}`);
    }
    return { cases: CURL.length, failures };
  });
}

/** Runs each tool that is here. */
export async function runHttpTools(
  place: Place,
  say: (line: string) => void,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const run of [h1spec, llhttp, smuggling, curl, smuggler]) {
    say(run.name);
    found.push(await run(place));
  }
  say('slowhttptest');
  const version = await runTool('slowhttptest', ['-h'], { cwd: '/', seconds: 10 });
  if (version.code === null) found.push(absent('slowhttptest', 'apt-get install slowhttptest'));
  else found.push(...(await slow(place)));
  return found;
}
