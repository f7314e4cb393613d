import { createHmac } from 'node:crypto';
import {
  MPP_HEADERS,
  privateCaching,
  type SalePayment,
  varyOf,
  x402Protocol,
} from '../seller/index.ts';
import { headersOf, pairs } from './page.ts';

/** The headers of the protocols that the proxy can speak. Their own ones never pass, whichever it speaks now. */
const PROTOCOLS = [x402Protocol, MPP_HEADERS] as const;

type Header = readonly [name: string, value: string];

/** Headers of one connection (RFC 9110, section 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

/**
 * Headers that the proxy writes by itself, or that would make an upstream serve another resource than the one that was priced:
 * clients' own are dropped.
 */
const OWN: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'expect', 'via', 'forwarded', 'x-real-ip'],
  // Gateways hand it to programs as `HTTP_PROXY`, from which they take the proxy that they ask.
  'proxy',
  ...['x-http-method-override', 'x-http-method', 'x-method-override'],
  ...['x-original-url', 'x-original-uri', 'x-rewrite-url'],
  ...PROTOCOLS.flatMap(({ requestHeaders }) => requestHeaders),
]);
const OWN_PREFIX = /^(?:x402-|x-forwarded-)/;

/** Returns a name as the worst reader has it: CGI, WSGI and PHP read `_`, and some gateways every sign, as `-`. */
function worstReading(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '-');
}

function isOwn(plain: string): boolean {
  return OWN.has(plain) || OWN_PREFIX.test(plain);
}

function connectionTokens(headers: ReadonlyMap<string, string>): ReadonlySet<string> {
  const tokens = (headers.get('connection') ?? '').split(',');
  return new Set(tokens.map((token) => token.trim().toLowerCase()));
}

/** Where a request came from, for the upstream. */
export interface Origin {
  /** The address of the connection. */
  readonly address: string;
  readonly host: string;
  readonly protocol: 'http' | 'https';
  /** What trusted proxies in front wrote into `X-Forwarded-For`; empty without any. */
  readonly forwardedFor: string;
}

/** Returns the headers that go upstream. @param own of the payment; none on free routes */
export function upstreamHeaders(
  rawHeaders: readonly string[],
  { address, host, protocol, forwardedFor }: Origin,
  upstreamHost: string,
  own: readonly Header[],
): string[] {
  const headers = headersOf(rawHeaders);
  const tokens = new Set([...connectionTokens(headers)].map(worstReading));
  const passed = pairs(rawHeaders).filter(([name, value]) => {
    const plain = worstReading(name);
    // Credentials of the API pass, payments never.
    const isPayment = plain === 'authorization' && MPP_HEADERS.carriesPayment(() => value);
    return !HOP_BY_HOP.has(plain) && !tokens.has(plain) && !isOwn(plain) && !isPayment;
  });
  const via = headers.get('via');
  const node = address.includes(':') ? `"[${address}]"` : address;
  const added: Header[] = [
    ['Host', upstreamHost],
    ['Via', via === undefined ? '1.1 svc-x402' : `${via}, 1.1 svc-x402`],
    ['X-Forwarded-For', forwardedFor === '' ? address : `${forwardedFor}, ${address}`],
    ['X-Forwarded-Host', host],
    ['X-Forwarded-Proto', protocol],
    ['Forwarded', `for=${node};host="${host.replace(/["\\]/g, '')}";proto=${protocol}`],
    ...(/\btrailers\b/i.test(headers.get('te') ?? '') ? [['TE', 'trailers'] as const] : []),
    ...own,
  ];
  return [...added, ...passed].flat();
}

/** What is said about the payment to the upstream. */
export interface PaymentFacts {
  readonly paid: SalePayment;
  readonly asset: string;
  /** Empty if the money is taken after the response. */
  readonly transaction: string;
  readonly method: string;
  /** Path and query, as they go upstream. */
  readonly target: string;
  /** Seconds since the epoch. */
  readonly time: number;
}

/**
 * Returns the headers that say who paid, with an HMAC-SHA256 over them, the method, the path and the time. The signed text is
 * the lines `v1`, time, method, path with query, protocol, payer, amount, asset and transaction, joined by line feeds.
 */
export function paymentHeaders(
  { paid, asset, transaction, method, target, time }: PaymentFacts,
  secret: string,
): readonly Header[] {
  const amount = paid.payment.amount.toString();
  const { name } = paid.protocol;
  const text = ['v1', time, method, target, name, paid.payer, amount, asset, transaction].join(
    '\n',
  );
  const signature = createHmac('sha256', secret).update(text).digest('hex');
  return [
    ['X402-Method', name],
    ['X402-Payer', paid.payer],
    ['X402-Amount', amount],
    ['X402-Asset', asset],
    ['X402-Transaction', transaction],
    ['X402-Time', String(time)],
    ['X402-Signature', `v1=${signature}`],
  ];
}

/** How a response is passed on. */
export interface PassedOn {
  /** Of the engine: receipts. */
  readonly headers: readonly Header[];
  /** Whether the resource has a price: then only the buyer may keep the response. */
  readonly sold: boolean;
  /** `Origin` of the request, if a page of another site sent it. */
  readonly pageOrigin: string | undefined;
  /** Origin of the upstream, which its redirects may name, and that of the proxy. */
  readonly upstreamOrigin: string;
  readonly publicOrigin: string;
  /** Length of the body if all of it is there. */
  readonly length: number | undefined;
}

const RESPONSE_HEADERS = PROTOCOLS.flatMap(({ responseHeaders }) => [...responseHeaders]);
/** The headers that pages may read. */
export const EXPOSED = RESPONSE_HEADERS.join(', ');
/** Headers that an API does not send with a sold response. `WWW-Authenticate` may be about its own users. */
const REPLACED = RESPONSE_HEADERS.map((name) => name.toLowerCase()).filter(
  (name) => name !== 'www-authenticate',
);

/** Returns the headers that the client gets. */
export function clientHeaders(rawHeaders: readonly string[], how: PassedOn): string[] {
  const headers = headersOf(rawHeaders);
  const tokens = connectionTokens(headers);
  const payment = new Set(how.headers.map(([name]) => name.toLowerCase()));
  const replaced = new Set([
    ...payment,
    ...(how.length === undefined ? [] : ['content-length']),
    ...(how.sold ? ['cache-control', 'vary', ...REPLACED] : []),
    ...(how.sold && how.pageOrigin !== undefined ? ['access-control-expose-headers'] : []),
  ]);
  const passed = pairs(rawHeaders)
    .filter(([name]) => {
      const lower = name.toLowerCase();
      const isHop = HOP_BY_HOP.has(lower) && lower !== 'trailer' && lower !== 'proxy-authenticate';
      return !isHop && !tokens.has(lower) && !replaced.has(lower);
    })
    .map(
      ([name, value]): Header => [
        name,
        name.toLowerCase() === 'location' ? relocated(value, how) : value,
      ],
    );
  const added: Header[] = [['Via', '1.1 svc-x402'], ...how.headers];
  if (how.length !== undefined) added.push(['Content-Length', String(how.length)]);
  if (how.sold) {
    const vary = headers.get('vary');
    added.push(
      ['Cache-Control', privateCaching(headers.get('cache-control'))],
      ['Vary', vary === undefined ? varyOf(PROTOCOLS) : `${vary}, ${varyOf(PROTOCOLS)}`],
    );
    if (how.pageOrigin !== undefined) {
      const exposed = headers.get('access-control-expose-headers');
      added.push([
        'Access-Control-Expose-Headers',
        exposed === undefined ? EXPOSED : `${exposed}, ${EXPOSED}`,
      ]);
      if (!headers.has('access-control-allow-origin'))
        added.push(['Access-Control-Allow-Origin', '*']);
    }
  }
  return [...passed, ...added].flat();
}

/** A redirect to the upstream's own address leads to the proxy. */
function relocated(location: string, { upstreamOrigin, publicOrigin }: PassedOn): string {
  const rest = location.startsWith(upstreamOrigin)
    ? location.slice(upstreamOrigin.length)
    : undefined;
  return rest !== undefined && /^(?:[/?#]|$)/.test(rest) ? `${publicOrigin}${rest}` : location;
}
