import { isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import {
  type AtomicAmount,
  parseDecimalAmount,
  parseStellarAddress,
  quoted,
  withoutUsdc,
} from '../../protocol/index.ts';
import { ALLOWABLE_PROBLEMS, isAccent } from '../../seller/index.ts';
import { type Route, readPattern } from '../routes.ts';

import {
  DEFAULT_LIMITS,
  type McpConfig,
  type Otherwise,
  PROTOCOL_NAMES,
  type Price,
  type ProxyConfig,
  plainTerms,
  type Terms,
} from './config.ts';

/** Something wrong in a configuration, with its place. */
export interface ConfigProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type ReadConfig =
  | { readonly ok: true; readonly config: ProxyConfig }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** A product of `per` and `max` that no price exceeds unless the file says so: 1 USDC. */
const DEFAULT_CEILING = 10_000_000n as AtomicAmount;

const amount = z
  .union([z.number(), z.string()])
  .describe('An amount in USDC, such as 0.01')
  .meta({ examples: [0.01, '0.01 USDC'] });

const routeObject = z.strictObject({
  price: amount.optional().describe('Price of a request, or with `per` of one unit, in USDC'),
  per: z
    .string()
    .regex(
      /^(?:body|query|params|header)(?:\.[\w-]+)+$/,
      'Use a path such as body.items.length or query.count.',
    )
    .optional()
    .describe(
      'What is counted: a path below body, query, params or header, such as body.items.length',
    ),
  ask: z
    .string()
    .regex(/^\//, 'Use a path such as /price.')
    .optional()
    .describe('Path of the upstream that returns the price as {"price": "0.05"}'),
  max: amount
    .optional()
    .describe('Ceiling of a price that is counted or asked for, in USDC. Default: 1'),
  settle: z
    .enum(['after', 'before'])
    .optional()
    .describe(
      'When the money is taken: after the response is there, or before the upstream works. Default: after',
    ),
  description: z.string().max(2_000).optional(),
  mimeType: z.string().max(255).optional(),
  tags: z.array(z.string().min(1).max(32)).max(5).optional(),
  allow: z
    .array(z.enum(ALLOWABLE_PROBLEMS))
    .optional()
    .describe('Peculiarities of paths that are forwarded on this route instead of being refused'),
});

const size = z
  .number()
  .int()
  .min(0)
  .max(2 ** 40);
const mcpObject = z.strictObject({
  http: z
    .string()
    .optional()
    .describe('URL of an MCP server over Streamable HTTP, such as http://127.0.0.1:9000/mcp'),
  command: z
    .union([z.string().min(1), z.array(z.string()).min(1)])
    .optional()
    .describe('Program that speaks MCP over stdin and stdout; a text is run by the shell'),
  path: z
    .string()
    .regex(/^\/[\w./~-]*$/, 'Use a path such as /mcp.')
    .optional()
    .describe("Path at which the proxy serves MCP. Default: the server's, or /mcp"),
  tools: z
    .record(z.string().min(1).max(256), z.unknown())
    .optional()
    .describe('By the name of the tool: free, a price, or an object'),
  otherwise: z
    .unknown()
    .optional()
    .describe('Tools that are not named: closed (default), free, or a price'),
});

/** What a tool's price may have; its arguments have no path, and no price is counted. */
const toolObject = routeObject.omit({ per: true, ask: true, max: true, allow: true });

const configSchema = z.strictObject({
  upstream: z
    .string()
    .optional()
    .describe('URL of the API that is sold, such as http://127.0.0.1:3000'),
  mcp: z.unknown().optional().describe('An MCP server whose tools are sold, instead of an API'),
  payTo: z.string().describe('Stellar address that is paid (G… or C…)'),
  facilitator: z
    .string()
    .optional()
    .describe("URL of an x402 facilitator. Default: the local service's"),
  publicUrl: z
    .string()
    .optional()
    .describe('Origin under which buyers reach the proxy, such as https://api.example.com'),
  serviceName: z.string().min(1).max(32).optional().describe('Name of the service, in catalogs'),
  openapi: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File or URL of an OpenAPI document: its words and schemas are listed, and operations with `x-payment-info` are sold',
    ),
  protocols: z
    .array(z.enum(PROTOCOL_NAMES))
    .min(1)
    .optional()
    .describe('How requests are paid. Default: x402 and mpp'),
  receipts: z
    .boolean()
    .optional()
    .describe('Sign offers and receipts of x402, with a key of their own. Default: false'),
  routes: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('By method and path, such as "GET /weather/{city}": free, a price, or an object'),
  otherwise: z
    .unknown()
    .optional()
    .describe('Requests that no route names: closed (default), free, or a price'),
  limits: z
    .strictObject({
      maxRequestBytes: size.optional().describe('Longest body of a request, in bytes'),
      maxResponseBytes: size
        .optional()
        .describe(
          'Longest response that is kept until it is paid, in bytes; longer ones are streams',
        ),
      holdMs: size.optional().describe('How long a response may take before it counts as a stream'),
      timeoutMs: size.optional().describe('How long the API may send nothing, in milliseconds'),
    })
    .optional()
    .describe('Bounds of requests and responses'),
  page: z
    .union([
      z.boolean(),
      z.strictObject({
        title: z.string().min(1).max(200).optional().describe('Heading'),
        note: z.string().min(1).max(2_000).optional().describe('A few words below it'),
        accent: z
          .string()
          .refine(isAccent, "Use a colour such as '#0b5cad'.")
          .optional()
          .describe("Colour of the button, such as '#0b5cad'"),
      }),
    ])
    .optional()
    .describe('The page that browsers get for a price: false for none, or its words and colour'),
  trustedHops: z
    .number()
    .int()
    .min(0)
    .max(10)
    .optional()
    .describe('Proxies in front whose X-Forwarded-For is believed. Default: 0'),
});

/** Returns the JSON Schema of a configuration, for editors: of draft 7, which all of them read. */
export function configJsonSchema(): object {
  const draft = (schema: z.ZodType): Record<string, unknown> => {
    const written = z.toJSONSchema(schema, {
      target: 'draft-7',
      override: ({ zodSchema, jsonSchema }) => {
        // What `readAmount` reads; a schema of zod with this pattern would report it in other words.
        if (zodSchema !== amount) return;
        jsonSchema.anyOf = [
          { type: 'number', exclusiveMinimum: 0 },
          { type: 'string', pattern: '^\\s*\\d+(\\.\\d+)?(\\s*USDC)?\\s*$' },
        ];
        delete jsonSchema.type;
      },
    });
    const { $schema: _, ...rest } = written;
    return rest;
  };
  const { properties, ...rest } = draft(configSchema);
  const { routes, otherwise, mcp, ...others } = properties as Readonly<Record<string, object>>;
  const paid = [draft(amount), draft(routeObject)];
  const tool = { anyOf: [{ const: 'free' }, draft(amount), draft(toolObject)] };
  const server = draft(mcpObject) as { readonly properties: Readonly<Record<string, object>> };
  const { tools, otherwise: otherTools } = server.properties;
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of svc-x402 proxy',
    ...rest,
    properties: {
      ...others,
      mcp: {
        ...mcp,
        ...server,
        properties: {
          ...server.properties,
          tools: { ...tools, additionalProperties: tool },
          otherwise: {
            ...otherTools,
            anyOf: [{ enum: ['closed', 'free'] }, ...tool.anyOf.slice(1)],
          },
        },
      },
      routes: {
        ...routes,
        additionalProperties: { anyOf: [{ const: 'free' }, ...paid] },
        propertyNames: { pattern: '^(\\*|[A-Z]+) +/' },
      },
      otherwise: { ...otherwise, anyOf: [{ enum: ['closed', 'free'] }, ...paid] },
    },
  };
}

/** Returns an amount as atomic units; `undefined` if it is not a positive one. */
export function readAmount(value: unknown): AtomicAmount | undefined {
  const text = typeof value === 'number' ? plainNumber(value) : value;
  const read = typeof text === 'string' ? parseDecimalAmount(withoutUsdc(text.trim())) : undefined;
  return read === undefined || read <= 0n ? undefined : read;
}

/** Writes a number without an exponent. */
function plainNumber(value: number): string {
  return /e/i.test(String(value)) ? value.toFixed(7).replace(/0+$/, '') : String(value);
}

/** Returns the URL of an HTTP server; `undefined` for anything else. */
export function readUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.search === '' && url.hash === '' && url.username === '';
  return /^https?:$/.test(url.protocol) && isPlain ? url : undefined;
}

type Path = readonly (string | number)[];

/** Collects problems, each with the place that it is about. */
class Problems {
  readonly #found: { readonly path: Path; readonly key: boolean; readonly message: string }[] = [];

  add(path: Path, message: string, key = false): undefined {
    this.#found.push({ path, message, key });
    return undefined;
  }

  addIssues(error: z.ZodError, below: Path = []): undefined {
    for (const issue of error.issues) {
      const path = [...below, ...issue.path.map((part) => (typeof part === 'symbol' ? '' : part))];
      if (issue.code === 'unrecognized_keys') {
        for (const key of issue.keys)
          this.add([...path, key], `${quoted(key)} is not known here.`, true);
      } else if (issue.code === 'invalid_type' && issue.input === undefined) {
        this.add(path, `${path.join('.')} is missing.`);
      } else this.add(path, `${path.at(-1) ?? 'The file'}: ${issue.message}`);
    }
    return undefined;
  }

  get any(): boolean {
    return this.#found.length > 0;
  }

  placed(document: ReturnType<typeof parseDocument>, counter: LineCounter): ConfigProblem[] {
    return this.#found
      .map(({ path, key, message }) => {
        const { line, col } = counter.linePos(offsetOf(document, path, key));
        return { line, column: col, message };
      })
      .sort((a, b) => a.line - b.line || a.column - b.column);
  }
}

/** Returns where a value begins, or its key; the nearest one around it if it is missing. */
function offsetOf(document: ReturnType<typeof parseDocument>, path: Path, key: boolean): number {
  if (path.length === 0) return document.contents?.range?.[0] ?? 0;
  const parent = document.getIn(path.slice(0, -1), true);
  const around = path.length === 1 ? document.contents : parent;
  const pair = isMap(around)
    ? around.items.find((each) => isScalar(each.key) && each.key.value === path.at(-1))
    : undefined;
  const node = key ? pair?.key : document.getIn(path, true);
  if (isNode(node) && node.range) return node.range[0];
  return offsetOf(document, path.slice(0, -1), false);
}

/**
 * Reads a configuration and checks all of it.
 * @param text YAML, or JSON, which is YAML too
 */
export function readConfig(text: string): ReadConfig {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ message, pos }) => {
      const { line, col } = counter.linePos(pos[0]);
      return {
        line,
        column: col,
        message: message.split('\n')[0]?.replace(/ at line \d+.*$/, '') ?? message,
      };
    });
    return { ok: false, problems };
  }
  const aliases: ConfigProblem[] = [];
  visit(document, {
    Alias(_, { range, source }) {
      const { line, col } = counter.linePos(range?.[0] ?? 0);
      aliases.push({
        line,
        column: col,
        message: `Write the value of *${source} here: aliases are not read.`,
      });
    },
  });
  if (aliases.length > 0) return { ok: false, problems: aliases };
  const problems = new Problems();
  const config = checked(document.toJS(), problems);
  if (problems.any || config === undefined) {
    return { ok: false, problems: problems.placed(document, counter) };
  }
  return { ok: true, config };
}

function checked(value: unknown, problems: Problems): ProxyConfig | undefined {
  const parsed = configSchema.safeParse(value ?? {}, { reportInput: true });
  // The other rules apply to whatever has the right form, so that all problems are reported at once.
  const raw: Readonly<Record<string, unknown>> = { ...(value as object | undefined) };
  if (raw['upstream'] === undefined && raw['mcp'] === undefined) {
    problems.add(['upstream'], 'upstream is missing.');
  }
  if (raw['openapi'] !== undefined && raw['upstream'] === undefined) {
    problems.add(['openapi'], 'openapi describes an HTTP API. Name the API with upstream.');
  }
  if (!parsed.success) problems.addIssues(parsed.error);
  const upstream = urlIn(raw, 'upstream', problems);
  const mcp = raw['mcp'] === undefined ? undefined : mcpIn(raw, problems);
  const payTo = payToIn(raw, problems);
  urlIn(raw, 'facilitator', problems);
  const publicUrl = urlIn(raw, 'publicUrl', problems);
  receiptsIn(raw, problems);
  const { routes: given } = raw;
  const routes =
    typeof given === 'object' && given !== null
      ? Object.entries(given).flatMap(([key, route]) => routeIn(key, route, problems) ?? [])
      : [];
  refuseTwice(routes, problems);
  const otherwise = otherwiseIn(raw['otherwise'] ?? 'closed', problems);
  if (!parsed.success || !(upstream ?? mcp) || !payTo || otherwise === undefined) return undefined;
  const { facilitator, serviceName, openapi, protocols, limits } = parsed.data;
  const { receipts = false, page = true, trustedHops = 0 } = parsed.data;
  return {
    ...{
      upstream,
      mcp,
      payTo,
      facilitator: facilitator?.replace(/\/+$/, ''),
      serviceName,
      openapi,
    },
    ...{ publicOrigin: publicUrl?.origin, receipts, routes, otherwise, trustedHops },
    protocols: PROTOCOL_NAMES.filter((name) => protocols?.includes(name) ?? true),
    page: page === false ? undefined : page === true ? {} : page,
    limits: {
      maxRequestBytes: limits?.maxRequestBytes ?? DEFAULT_LIMITS.maxRequestBytes,
      maxResponseBytes: limits?.maxResponseBytes ?? DEFAULT_LIMITS.maxResponseBytes,
      holdMs: limits?.holdMs ?? DEFAULT_LIMITS.holdMs,
      timeoutMs: limits?.timeoutMs ?? DEFAULT_LIMITS.timeoutMs,
    },
  };
}

function urlIn(
  raw: Readonly<Record<string, unknown>>,
  name: string,
  problems: Problems,
): URL | undefined {
  const value = raw[name];
  if (typeof value !== 'string') return undefined;
  return (
    readUrl(value) ??
    problems.add([name], `${quoted(value)} is not a URL. Use one such as http://127.0.0.1:3000.`)
  );
}

/** Why a proxy with these members cannot sign offers and receipts; `undefined` if it can. */
export function whyNoReceipts(proxy: {
  readonly publicOrigin: unknown;
  readonly mcp: unknown;
  readonly protocols: unknown;
}): string | undefined {
  if (proxy.mcp !== undefined) {
    return 'Receipts are signed for HTTP resources, not for tools of an MCP server. Omit receipts.';
  }
  if (Array.isArray(proxy.protocols) && !proxy.protocols.includes('x402')) {
    return 'Signed receipts are part of x402. Add x402 to the protocols, or omit receipts.';
  }
  // Without it, the signed URL would have the origin that a client names in its request.
  return proxy.publicOrigin === undefined
    ? 'Signed receipts name the resource. Set publicUrl (--public-url) to the origin that buyers reach.'
    : undefined;
}

function receiptsIn(raw: Readonly<Record<string, unknown>>, problems: Problems): void {
  const { receipts, publicUrl: publicOrigin, mcp, protocols } = raw;
  if (receipts !== true) return;
  const why = whyNoReceipts({ publicOrigin, mcp, protocols });
  if (why !== undefined) problems.add(['receipts'], why);
}

function payToIn(raw: Readonly<Record<string, unknown>>, problems: Problems) {
  const { payTo } = raw;
  if (typeof payTo !== 'string') return undefined;
  const address = parseStellarAddress(payTo.trim());
  return (
    address ??
    problems.add(
      ['payTo'],
      `${quoted(payTo)} is not a Stellar address. Use one that begins with G or C.`,
    )
  );
}

const ROUTE = /^(\*|[A-Z]+) +(\/.*)$/;

function routeIn(
  key: string,
  value: unknown,
  problems: Problems,
): Route<Terms | undefined> | undefined {
  const path = ['routes', key];
  const [, method = '', text = ''] = ROUTE.exec(key) ?? [];
  const pattern = method === '' ? undefined : readPattern(text);
  if (pattern === undefined) {
    problems.add(
      path,
      `${quoted(key)} is not a route. Use a method and a path, such as GET /weather/{city}; a path may end in /*.`,
      true,
    );
  }
  if (/^(?:HEAD|OPTIONS|CONNECT|TRACE)$/.test(method)) {
    problems.add(
      path,
      `${method} is answered by the proxy. Name the route of the resource itself.`,
      true,
    );
  }
  const read = termsIn(value, path, problems);
  if (read === undefined || pattern === undefined) return undefined;
  const { terms, allow } = read;
  return {
    method,
    pattern,
    text: `${method} ${text}`,
    sold: terms !== undefined,
    allow,
    about: terms,
  };
}

interface ReadTerms {
  /** `undefined`: free. */
  readonly terms: Terms | undefined;
  readonly allow: Route<unknown>['allow'];
}

/**
 * Reads the section about an MCP server. One proxy sells an API or an MCP server: through the routes of an API on the same server,
 * its tools could be called for nothing.
 */
function mcpIn(raw: Readonly<Record<string, unknown>>, problems: Problems): McpConfig | undefined {
  for (const name of ['upstream', 'routes', 'otherwise']) {
    if (raw[name] !== undefined) {
      problems.add(
        [name],
        `A proxy sells an API or an MCP server. Remove \`${name}\`, or use a second proxy.`,
        true,
      );
    }
  }
  const parsed = mcpObject.safeParse(raw['mcp'], { reportInput: true });
  if (!parsed.success) return problems.addIssues(parsed.error, ['mcp']);
  const { http, command, path, tools: given = {}, otherwise = 'closed' } = parsed.data;
  const upstream = mcpUpstreamIn(http, command, problems);
  const tools = new Map<string, Terms | undefined>();
  for (const [name, value] of Object.entries(given)) {
    const read = termsIn(value, ['mcp', 'tools', name], problems, toolObject);
    if (read !== undefined) tools.set(name, read.terms);
  }
  const others =
    otherwise === 'closed' || otherwise === 'free'
      ? otherwise
      : termsIn(otherwise, ['mcp', 'otherwise'], problems, toolObject)?.terms;
  if (tools.size === 0 && otherwise === 'closed' && Object.keys(given).length === 0) {
    problems.add(['mcp'], 'Nothing is sold or free: name tools, or give `otherwise` a price.');
  }
  if (upstream === undefined || others === undefined) return undefined;
  const served = upstream.kind === 'http' ? upstream.url.pathname : '/mcp';
  return { upstream, path: plainPath(path ?? served), tools, otherwise: others };
}

/** A slash at the end makes no difference. */
export function plainPath(path: string): string {
  return path.replace(/(?<=.)\/+$/, '');
}

function mcpUpstreamIn(
  http: string | undefined,
  command: string | readonly string[] | undefined,
  problems: Problems,
): McpConfig['upstream'] | undefined {
  if ((http === undefined) === (command === undefined)) {
    return problems.add(['mcp'], 'Name the MCP server: `http` with its URL, or `command`.');
  }
  if (command !== undefined) return { kind: 'stdio', command };
  const url = readUrl(http ?? '');
  return url === undefined
    ? problems.add(
        ['mcp', 'http'],
        `${quoted(String(http))} is not a URL. Use one such as http://127.0.0.1:9000/mcp.`,
      )
    : { kind: 'http', url };
}

function termsIn(
  value: unknown,
  path: Path,
  problems: Problems,
  schema: typeof routeObject | typeof toolObject = routeObject,
): ReadTerms | undefined {
  if (value === 'free') return { terms: undefined, allow: [] };
  if (typeof value !== 'object' || value === null) {
    const price = readAmount(value);
    if (price !== undefined) {
      return { terms: plainTerms({ kind: 'fixed', amount: price }), allow: [] };
    }
    return problems.add(
      path,
      `${quoted(String(value))} is not a price. Use free, an amount in USDC such as 0.01, or { price: 0.01 }.`,
    );
  }
  const parsed = schema.safeParse(value, { reportInput: true });
  if (!parsed.success) return problems.addIssues(parsed.error, path);
  const {
    settle = 'after',
    description,
    mimeType,
    tags,
    allow = [],
  }: z.infer<typeof routeObject> = parsed.data;
  const price = priceIn(parsed.data, path, problems);
  if (price === undefined) return undefined;
  return { terms: plainTerms(price, { settle, description, mimeType, tags }), allow };
}

function priceIn(
  { price, per, ask, max }: z.infer<typeof routeObject>,
  path: Path,
  problems: Problems,
): Price | undefined {
  const read = price === undefined ? undefined : readAmount(price);
  const ceiling = max === undefined ? DEFAULT_CEILING : readAmount(max);
  if (price !== undefined && read === undefined) {
    problems.add(
      [...path, 'price'],
      `${quoted(String(price))} is not a price. Use an amount in USDC such as 0.01.`,
    );
  }
  if (ceiling === undefined) {
    return problems.add(
      [...path, 'max'],
      `${quoted(String(max))} is not an amount. Use USDC such as 1.`,
    );
  }
  if (ask !== undefined) {
    return price === undefined && per === undefined
      ? { kind: 'ask', path: ask, max: ceiling }
      : problems.add(
          [...path, 'ask'],
          'A route is asked for its price, or has one. Remove `ask`, or `price` and `per`.',
        );
  }
  if (price === undefined)
    return problems.add(path, 'A sold route needs a price. Add `price`, or write free.');
  if (read === undefined) return undefined;
  if (per !== undefined) return { kind: 'per', of: per, amount: read, max: ceiling };
  return max === undefined
    ? { kind: 'fixed', amount: read }
    : problems.add(
        [...path, 'max'],
        '`max` limits prices that are counted or asked for. Remove it.',
        true,
      );
}

function otherwiseIn(value: unknown, problems: Problems): Otherwise | undefined {
  if (value === 'closed' || value === 'free') return value;
  return termsIn(value, ['otherwise'], problems)?.terms;
}

/** Two routes with the same method and the same fixed parts would be one, whichever is meant. */
function refuseTwice(routes: readonly Route<unknown>[], problems: Problems): void {
  const seen = new Map<string, string>();
  for (const { method, pattern, text } of routes) {
    const shape = pattern.map((part) => (part.kind === 'fixed' ? part.text : part.kind)).join('/');
    const key = `${method} ${shape}`;
    const earlier = seen.get(key);
    if (earlier !== undefined)
      problems.add(['routes', text], `This is the same route as ${quoted(earlier)}.`, true);
    else seen.set(key, text);
  }
}
