import { createHash } from 'node:crypto';
import { BlockList, isIP } from 'node:net';

/** Longest header that is read, enough for a hundred addresses. */
const MAX_FORWARDED = 4_096;

/** `::ffff:192.0.2.1` is the IPv4 address it carries. */
function withoutMapping(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  return mapped ?? address;
}

/** Returns the address in an entry of `X-Forwarded-For`, without brackets, port and spaces. */
function bareAddress(entry: string): string | undefined {
  const text = entry.trim();
  const [, inBrackets] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? [];
  const [, beforePort] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? [];
  const address = withoutMapping(inBrackets ?? beforePort ?? text);
  return isIP(address) === 0 ? undefined : address;
}

/**
 * Returns the address of a request's client. Without trusted proxies, it is the peer of the connection, and
 * `X-Forwarded-For` is ignored. Behind `hops` trusted proxies, it is the entry that the outermost of them
 * has written: the one `hops` places from the right.
 * @param isProxy whether a connection comes from the nearest proxy (`readProxies`); others may claim nothing
 * @returns an IPv4 or IPv6 address; `undefined` if the connection does not report one
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  hops: number,
  isProxy: (address: string) => boolean = () => true,
): string | undefined {
  const direct = peer === undefined ? undefined : withoutMapping(peer.split('%', 1)[0] ?? '');
  if (hops === 0 || forwardedFor === undefined || forwardedFor.length > MAX_FORWARDED) {
    return direct;
  }
  if (direct !== undefined && !isProxy(direct)) return direct;
  const entries = forwardedFor.split(',');
  // A request whose header has fewer entries than there are proxies did not pass through all of them.
  return bareAddress(entries.at(-hops) ?? '') ?? direct;
}

/** Whether a text is an IP address, or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (bits === 0 || more.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
}

/**
 * Returns which connections may carry `X-Forwarded-For`.
 * @param proxies addresses and networks in CIDR notation; if there are none, every connection may
 */
export function readProxies(proxies: readonly string[]): (address: string) => boolean {
  if (proxies.length === 0) return () => true;
  const list = new BlockList();
  for (const text of proxies) {
    const [address = '', length] = text.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (length === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(length), family);
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** The eight groups of an IPv6 address. */
function groups(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  if (tail === undefined) return first;
  const last = tail === '' ? [] : tail.split(':');
  // An IPv4 address at the end counts as two groups.
  const missing = 8 - first.length - last.length - (last.at(-1)?.includes('.') ? 1 : 0);
  return [...first, ...Array<string>(Math.max(missing, 0)).fill('0'), ...last];
}

/**
 * Returns the key of a client: an IPv4 address, or the /64 network of an IPv6 address, since a
 * customer gets at least that many addresses and may use them all.
 */
export function clientKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const network = groups(address.toLowerCase()).slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** Returns a name of a client for the store, which need not contain the addresses of callers. @param key of `clientKey` */
export function clientName(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}

export function isLoopback(address: string): boolean {
  return /^127\./.test(address) || address === '::1';
}
