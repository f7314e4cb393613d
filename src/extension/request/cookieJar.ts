/** A cookie as a server set it. */
interface Cookie {
  readonly name: string;
  readonly value: string;
  /** Without a leading dot. */
  readonly domain: string;
  /** Only the host that set it gets it. */
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
  /** Milliseconds since 1970; `undefined`: until the end of the session. */
  readonly expires: number | undefined;
}

/** Cookies of a session, in memory (RFC 6265). They are never stored. */
export interface CookieJar {
  readonly size: number;
  /** Keeps the cookies of a response. @param lines values of its `Set-Cookie` headers */
  keep(url: string, lines: readonly string[]): void;
  /** The value of the `Cookie` header for a URL; `undefined` if there is none. */
  headerFor(url: string): string | undefined;
  clear(): void;
}

/** @param now milliseconds since 1970 */
export function createCookieJar(now: () => number = Date.now): CookieJar {
  let cookies: readonly Cookie[] = [];
  const isSame = (one: Cookie, other: Cookie) =>
    one.name === other.name && one.domain === other.domain && one.path === other.path;
  return {
    get size() {
      return cookies.length;
    },
    keep(url, lines) {
      for (const line of lines) {
        const cookie = parseCookie(line, new URL(url), now());
        if (cookie === undefined) continue;
        const others = cookies.filter((one) => !isSame(one, cookie));
        const isOver = cookie.expires !== undefined && cookie.expires <= now();
        cookies = isOver ? others : [...others, cookie];
      }
    },
    headerFor(url) {
      const { hostname, pathname, protocol } = new URL(url);
      const isTrusted = protocol === 'https:' || isLoopback(hostname);
      const fitting = cookies.filter(
        (cookie) =>
          (cookie.expires === undefined || cookie.expires > now()) &&
          (cookie.hostOnly ? hostname === cookie.domain : isWithin(hostname, cookie.domain)) &&
          isPathWithin(pathname, cookie.path) &&
          (!cookie.secure || isTrusted),
      );
      if (fitting.length === 0) return undefined;
      return [...fitting]
        .sort((a, b) => b.path.length - a.path.length)
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ');
    },
    clear() {
      cookies = [];
    },
  };
}

function parseCookie(line: string, url: URL, now: number): Cookie | undefined {
  const [pair = '', ...attributes] = line.split(';');
  const at = pair.indexOf('=');
  const name = pair.slice(0, at).trim();
  if (at < 1 || name === '') return undefined;
  const given = new Map(
    attributes.map((text) => {
      const [key = '', ...rest] = text.split('=');
      return [key.trim().toLowerCase(), rest.join('=').trim()] as const;
    }),
  );
  const named = given.get('domain')?.replace(/^\./, '').toLowerCase() ?? '';
  // `localhost` names itself: it has no domain above it.
  const domain = named === url.hostname && !named.includes('.') ? '' : named;
  // A server sets cookies for itself and the domains above it, never for a whole top-level domain.
  if (domain !== '' && (!isWithin(url.hostname, domain) || !domain.includes('.'))) return undefined;
  const path = given.get('path') ?? '';
  const seconds = given.get('max-age') ?? '';
  const maxAge = /^-?\d+$/.test(seconds) ? Number(seconds) : Number.NaN;
  const date = Date.parse(given.get('expires') ?? '');
  return {
    name,
    value: pair.slice(at + 1).trim(),
    domain: domain === '' ? url.hostname : domain,
    hostOnly: domain === '',
    path: path.startsWith('/') ? path : url.pathname.replace(/\/[^/]*$/, '') || '/',
    secure: given.has('secure'),
    expires: Number.isFinite(maxAge)
      ? now + maxAge * 1_000
      : Number.isFinite(date)
        ? date
        : undefined,
  };
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || (host.endsWith(`.${domain}`) && !/^[\d.]+$|:/.test(host));
}

function isPathWithin(path: string, of: string): boolean {
  return path === of || path.startsWith(of.endsWith('/') ? of : `${of}/`);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\./.test(host);
}
