import { isIP } from 'node:net';
import { isLoopbackAddress } from './publicAddress.ts';

/** Where a check may connect to: the internet, or this machine on the embedded network. */
export type Reach = 'public' | 'loopback';

/** A URL whose spelling permits a fetch; its name is not resolved yet. */
export interface FetchTarget {
  readonly url: URL;
  readonly secure: boolean;
  /** Name or address, without brackets. */
  readonly host: string;
  /** The host, if it is already an address. */
  readonly address: string | undefined;
  readonly port: number;
}

/** Last labels of names in private networks, and of names that do not resolve. */
const INNER_SUFFIXES = new Set([
  'arpa',
  'consul',
  'corp',
  'example',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'private',
  'test',
]);

function isPublicName(host: string): boolean {
  const labels = host.replace(/\.$/, '').split('.');
  const last = labels.at(-1) ?? '';
  return labels.length > 1 && !labels.includes('') && !INNER_SUFFIXES.has(last);
}

/** Ports below 1024 belong to other protocols, except for HTTPS's. */
function isPermittedPort(port: number): boolean {
  return port === 443 || port >= 1024;
}

function isPermitted(target: FetchTarget, reach: Reach): boolean {
  const { address, host, port, secure } = target;
  if (reach === 'loopback') {
    return host === 'localhost' || (address !== undefined && isLoopbackAddress(address));
  }
  if (!secure || !isPermittedPort(port)) return false;
  return address !== undefined || isPublicName(host);
}

/**
 * Reads a URL to fetch. `undefined` if its text alone rules it out: not https, with a user, with a host
 * name that is not public, or with a port of another protocol.
 */
export function fetchTarget(text: string, reach: Reach): FetchTarget | undefined {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return undefined;
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  const secure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  const target: FetchTarget = {
    url,
    secure,
    host,
    address: isIP(host) === 0 ? undefined : host,
    port,
  };
  return isPermitted(target, reach) ? target : undefined;
}
