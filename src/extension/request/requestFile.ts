import { formFor, type RequestForm } from './requestForm.ts';

/**
 * Requests in a text file that can be committed, in the format of the editor extension REST Client as far as both can do it:
 * `###` between requests, `# @name` before one, `@name = value` for variables of the file, `{{name}}` where they are used.
 */
export interface SavedRequest {
  readonly name: string;
  /** Line of its method and URL, from 0. */
  readonly line: number;
  readonly form: RequestForm;
  /** Variables that nothing defines. */
  readonly unknown: readonly string[];
}

/** Values of variables by name. */
export type FileVariables = Readonly<Record<string, string>>;

const REQUEST_LINE = /^(?:(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+)?(\S+?)(?:\s+HTTP\/[\d.]+)?$/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.*)$/;
const MAX_DEPTH = 10;

/**
 * Reads the requests of a file.
 * @param environment variables of the selected environment; those of the file go before them
 */
export function readRequests(
  text: string,
  environment: FileVariables = {},
): readonly SavedRequest[] {
  const lines = text.split(/\r?\n/);
  const variables = { ...environment, ...fileVariables(lines) };
  const starts = lines.flatMap((line, index) => (/^###/.test(line) ? [index + 1] : []));
  const bounds = [0, ...starts];
  return bounds.flatMap((from, index) => {
    const to = (bounds[index + 1] ?? lines.length + 1) - 1;
    const request = readOne(lines.slice(from, to), from, variables);
    if (request === undefined) return [];
    const title = from === 0 ? '' : (lines[from - 1] ?? '').replace(/^#+/, '').trim();
    return [
      { ...request, name: request.name || title || `${request.form.method} ${request.form.url}` },
    ];
  });
}

function readOne(
  lines: readonly string[],
  from: number,
  variables: FileVariables,
): SavedRequest | undefined {
  let name = '';
  let at = 0;
  for (; at < lines.length; at += 1) {
    const line = lines[at]?.trim() ?? '';
    const named = /^(?:#|\/\/)\s*@name\s+(\S.*)$/.exec(line)?.[1];
    if (named !== undefined) name = named.trim();
    else if (line !== '' && !/^(#|\/\/|@)/.test(line)) break;
  }
  const asked = lines[at]?.trim();
  if (asked === undefined || asked === '') return undefined;
  const found = new Set<string>();
  const put = (text: string) => withVariables(text, variables, found);
  const line = from + at;
  let target = asked;
  // A query can be continued, a line for each parameter.
  for (at += 1; /^\s*[?&]/.test(lines[at] ?? ''); at += 1) target += (lines[at] ?? '').trim();
  const [, method = 'GET', url = ''] = REQUEST_LINE.exec(put(target)) ?? [];
  if (url === '') return undefined;
  const headers: { name: string; value: string }[] = [];
  for (; at < lines.length && (lines[at] ?? '').trim() !== ''; at += 1) {
    const text = (lines[at] ?? '').trim();
    if (/^(#|\/\/)/.test(text)) continue;
    const [, key, value = ''] = HEADER.exec(text) ?? [];
    if (key !== undefined) headers.push({ name: key, value: put(value) });
  }
  const body = put(
    lines
      .slice(at + 1)
      .join('\n')
      .trimEnd(),
  );
  const form = { ...formFor(method, url, undefined), headers, body };
  return { name, line, form, unknown: [...found] };
}

/** The variables that a file defines: `@host = http://localhost:3000`. */
function fileVariables(lines: readonly string[]): FileVariables {
  const pairs = lines.flatMap((line) => {
    const [, name, value = ''] = /^@([\w.-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

/** Puts values in the places of `{{name}}`; a name without a value stays, and is noted. */
function withVariables(
  text: string,
  variables: FileVariables,
  unknown: Set<string>,
  depth = 0,
): string {
  return text.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined || depth >= MAX_DEPTH) {
      unknown.add(name);
      return whole;
    }
    return withVariables(value, variables, unknown, depth + 1);
  });
}

/** The environments in a file `http-client.env.json`, by name. `$shared` is part of each. */
export function readEnvironments(text: string): Readonly<Record<string, FileVariables>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {};
  }
  const named = Object.entries(recordOf(value)).map(([name, of]) => [name, textsOf(of)] as const);
  const shared = named.find(([name]) => name === '$shared')?.[1] ?? {};
  return Object.fromEntries(
    named.flatMap(([name, of]) => (name === '$shared' ? [] : [[name, { ...shared, ...of }]])),
  );
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

function textsOf(value: unknown): FileVariables {
  return Object.fromEntries(
    Object.entries(recordOf(value)).flatMap(([name, one]) =>
      typeof one === 'string' || typeof one === 'number' ? [[name, String(one)]] : [],
    ),
  );
}

/** A request as text of such a file. Reading it again gives the same request. */
export function writeRequest(
  { method, url, query, headers, body }: RequestForm,
  name: string,
): string {
  const search = new URLSearchParams(query.map((one): [string, string] => [one.name, one.value]));
  const target = query.length === 0 ? url : `${url}?${search.toString()}`;
  const lines = [
    `### ${name}`,
    `${method} ${target}`,
    ...headers.filter((one) => one.name !== '').map((one) => `${one.name}: ${one.value}`),
    ...(body === '' ? [] : ['', body]),
  ];
  return `${lines.join('\n')}\n`;
}
