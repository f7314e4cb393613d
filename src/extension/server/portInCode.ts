/** Where a port comes from: how far it can be trusted, before a server runs. */
export type PortSource = 'script' | 'code' | 'env' | 'usual';

export interface LikelyPort {
  readonly port: number;
  readonly from: PortSource;
}

/** What is known of a server before it is started. */
export interface ServerTexts {
  /** Sources, the file of the endpoint first, then the file that the script starts. */
  readonly sources: readonly string[];
  /** The script that starts the server; empty if there is none. */
  readonly script: string;
  /** Texts of `.env` files, the strongest first. */
  readonly envFiles: readonly string[];
}

/** The port of most frameworks. */
const USUAL_PORT = 3000;
const MAX_SOURCE = 200_000;
/** Characters of a call that are read for its port. */
const MAX_CALL = 600;
/** A server is opened once; each further call that looks like it costs a reading of the whole text. */
const MAX_CALLS = 20;

/** Returns the port on which a server will probably listen. What it opens once it runs is more certain. */
export function likelyPort({ sources, script, envFiles }: ServerTexts): LikelyPort {
  const inScript = portInScript(script);
  if (inScript !== undefined) return { port: inScript, from: 'script' };
  const inEnv = envFiles.map(portInEnvFile).find((port) => port !== undefined);
  for (const source of sources) {
    const found = portInCode(source);
    if (found === undefined) continue;
    return found.readsEnvironment && inEnv !== undefined
      ? { port: inEnv, from: 'env' }
      : { port: found.port, from: 'code' };
  }
  return inEnv === undefined ? { port: USUAL_PORT, from: 'usual' } : { port: inEnv, from: 'env' };
}

/** The port that a script passes to its program: `next dev -p 3333`, `vite --port=5174`, `PORT=4000 node server.js`. */
export function portInScript(script: string): number | undefined {
  const found =
    /(?:^|\s)(?:-p|--port)[\s=]+["']?(\d{2,5})\b/.exec(script) ??
    /(?:^|[\s&;])(?:set\s+)?PORT=["']?(\d{2,5})\b/.exec(script);
  return portOf(found?.[1]);
}

/** The file that a script starts, relative to its package: `tsx watch src/index.ts`. */
export function fileInScript(script: string): string | undefined {
  return /(?:^|\s)["']?((?:\.\/)?[\w@./-]+\.[cm]?[jt]sx?)\b/
    .exec(script)?.[1]
    ?.replace(/^\.\//, '');
}

function portInEnvFile(text: string): number | undefined {
  return portOf(/^\s*(?:export\s+)?PORT\s*=\s*["']?(\d{2,5})\b/m.exec(text)?.[1]);
}

interface PortInCode {
  readonly port: number;
  /** Whether the environment can replace it. */
  readonly readsEnvironment: boolean;
}

const SERVES = /\.listen\s*\(|\bserve\s*\(|\bexport\s+default\s*\{/g;

/** The port in the code that opens it: `listen(port)`, `serve({ port })`, `Bun.serve({ port })`, `export default { port }`. */
export function portInCode(source: string): PortInCode | undefined {
  const text = withoutComments(source.slice(0, MAX_SOURCE));
  for (const { 0: opening, index } of first(text.matchAll(SERVES), MAX_CALLS)) {
    const call = text.slice(index + opening.length, index + opening.length + MAX_CALL);
    const found = numberIn(portExpression(call, opening.includes('listen')), text);
    if (found !== undefined) return found;
  }
  const named = /\b(?:const|let|var)\s+port\b[^=\n]{0,200}=\s*([^;\n]+)/i.exec(text)?.[1];
  const fallback = /\bPORT\b[^\n]{0,20}?(?:\|\||\?\?)\s*['"]?\d{2,5}/.exec(text)?.[0];
  return numberIn(named, text) ?? numberIn(fallback, text);
}

/** The expression of a call's port; the call begins after its opening parenthesis or brace. */
function portExpression(call: string, isListen: boolean): string | undefined {
  const inObject = /(?:^|[{,\s])port\s*:\s*([^,}\n]+)/.exec(call)?.[1];
  const first = /^\s*([^,){]+)/.exec(call)?.[1];
  if (isListen && first !== undefined && !call.trimStart().startsWith('{')) return first;
  // The shorthand of an object's member is the name of a variable.
  return inObject ?? (/(?:^|[{,\s])port\s*[,}]/.test(call) ? 'port' : undefined);
}

function numberIn(expression: string | undefined, text: string, depth = 0): PortInCode | undefined {
  if (expression === undefined || depth > 3) return undefined;
  const trimmed = expression.trim();
  const readsEnvironment = /\benv\b|\bPORT\b/.test(trimmed);
  const port = portOf(/(?<![\w.])(\d{2,5})(?![\w.])/.exec(trimmed)?.[1]);
  if (port !== undefined) return { port, readsEnvironment };
  const name = /^[A-Za-z_$][\w$]*$/.exec(
    trimmed.replace(/^(?:Number|parseInt)\(([^,)\n]*)[,)].*$/, '$1'),
  )?.[0];
  if (name === undefined) return undefined;
  const escaped = name.replaceAll('$', '\\$');
  const assigned = new RegExp(
    `\\b(?:const|let|var)\\s+${escaped}\\b[^=\\n]{0,200}=\\s*([^;\\n]+)`,
  ).exec(text);
  return numberIn(assigned?.[1], text, depth + 1);
}

function* first<T>(all: Iterable<T>, most: number): Iterable<T> {
  let count = 0;
  for (const one of all) {
    if (count === most) return;
    count += 1;
    yield one;
  }
}

function portOf(digits: string | undefined): number | undefined {
  const port = Number(digits);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

function withoutComments(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let open = text.indexOf('/*'); open >= 0; open = text.indexOf('/*', at)) {
    const close = text.indexOf('*/', open + 2);
    if (close < 0) break;
    kept.push(text.slice(at, open));
    at = close + 2;
  }
  return [...kept, text.slice(at)].join(' ').replace(/(^|[^:'"`\w])\/\/[^\n]*/g, '$1');
}
