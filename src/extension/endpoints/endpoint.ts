import * as z from 'zod/mini';
import { formatDecimalAmount, parseAtomicAmount, USDC_CONTRACT } from '../../protocol/index.ts';
import { t } from '../words/index.ts';

const entrySchema = z.looseObject({
  resource: z.string(),
  type: z.optional(z.string()),
  accepts: z.array(
    z.looseObject({
      scheme: z.string(),
      network: z.string(),
      asset: z.string(),
      amount: z.string(),
      payTo: z.string(),
    }),
  ),
  trust: z.optional(
    z.looseObject({
      settlements: z.number(),
      uniquePayers: z.number(),
      ownerVerified: z.boolean(),
      localCheck: z.optional(z.boolean()),
      lastSettledAt: z.nullish(z.union([z.string(), z.number()])),
    }),
  ),
  lastUpdated: z.nullish(z.union([z.string(), z.number()])),
  description: z.nullish(z.string()),
  serviceName: z.nullish(z.string()),
  extensions: z.nullish(z.record(z.string(), z.unknown())),
});

const listSchema = z.looseObject({
  items: z.array(entrySchema),
  pagination: z.object({ total: z.number() }),
});

/** An endpoint of the catalog that pays the configured address. */
export interface Endpoint {
  readonly url: string;
  readonly method: string;
  /** The URL with the example values of its declaration filled in, so it can be requested. */
  readonly exampleUrl: string;
  /** The example JSON body from its declaration. */
  readonly exampleBody: string | undefined;
  /** `0.01 USDC`, or atomic units of another asset. */
  readonly price: string;
  readonly settlements: number;
  readonly uniquePayers: number;
  readonly trust: z.infer<typeof entrySchema>['trust'];
  readonly lastSettled: Date | undefined;
  readonly serviceName: string | undefined;
}

/** Reads the structured result of `x402_list_resources`; `undefined` for anything else. */
export function readEndpoints(
  structured: unknown,
): { readonly endpoints: readonly Endpoint[]; readonly total: number } | undefined {
  const parsed = z.safeParse(listSchema, structured);
  if (!parsed.success) return undefined;
  const { items, pagination } = parsed.data;
  return { endpoints: items.map(readEntry), total: pagination.total };
}

type Entry = z.infer<typeof entrySchema>;

function readEntry(entry: Entry): Endpoint {
  const { trust, accepts } = entry;
  const input = inputOf(entry);
  return {
    url: entry.resource,
    method: input.method ?? 'GET',
    exampleUrl: exampleUrlOf(entry.resource, input),
    exampleBody: input.body,
    price: priceOf(accepts[0]),
    settlements: trust?.settlements ?? 0,
    uniquePayers: trust?.uniquePayers ?? 0,
    trust,
    lastSettled: readDate(trust?.lastSettledAt ?? entry.lastUpdated),
    serviceName: entry.serviceName ?? undefined,
  };
}

function priceOf(option: Entry['accepts'][number] | undefined): string {
  const amount = parseAtomicAmount(option?.amount ?? '');
  if (option === undefined || amount === undefined) return t('no price');
  const unit = option.asset === USDC_CONTRACT ? 'USDC' : t('of {0}…', option.asset.slice(0, 6));
  const price = `${formatDecimalAmount(amount)} ${unit}`;
  return option.scheme === 'upto' ? t('up to {0}', price) : price;
}

/** Method and example body of the discovery declaration (bazaar: `info.input`). */
function inputOf({ extensions }: Entry): {
  method?: string;
  body?: string;
  pathParams: Examples;
  queryParams: Examples;
} {
  const bazaar = extensions?.['bazaar'];
  const info = member(bazaar, 'info');
  const input = member(info, 'input');
  const method = member(input, 'method');
  const body = member(input, 'body');
  return {
    pathParams: examples(member(input, 'pathParams')),
    queryParams: examples(member(input, 'queryParams')),
    ...(typeof method === 'string' && /^[A-Z]{3,7}$/.test(method) ? { method } : {}),
    ...(typeof body === 'object' && body !== null ? { body: JSON.stringify(body) } : {}),
  };
}

type Examples = Readonly<Record<string, string>>;

function examples(value: unknown): Examples {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, example]: [string, unknown]) =>
      ['string', 'number', 'boolean'].includes(typeof example) ? [[name, String(example)]] : [],
    ),
  );
}

/** Replaces `:name` and `{name}` with example values, and appends the example query. */
function exampleUrlOf(
  url: string,
  { pathParams, queryParams }: { pathParams: Examples; queryParams: Examples },
): string {
  const path = Object.entries(pathParams).reduce(
    (filled, [name, value]) =>
      filled
        .replaceAll(`/:${name}`, `/${encodeURIComponent(value)}`)
        .replaceAll(`/{${name}}`, `/${encodeURIComponent(value)}`),
    url,
  );
  const query = new URLSearchParams(queryParams).toString();
  return query === '' ? path : `${path}?${query}`;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function readDate(value: string | number | null | undefined): Date | undefined {
  if (value === null || value === undefined) return undefined;
  const date = new Date(typeof value === 'number' && value < 1e12 ? value * 1000 : value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
