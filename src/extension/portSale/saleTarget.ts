import { connect } from 'node:net';
import { t } from '../words/index.ts';

const HOSTS = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;
const ANSWERS_WITHIN_MS = 1_000;

/** A typed server: a port, or a URL of this machine. */
interface Target {
  /** `undefined` if only the port was typed. */
  readonly host: string | undefined;
  readonly port: number;
  readonly protocol: 'http:' | 'https:';
}

/**
 * Returns the origin of a server on this machine.
 * @param typed a port such as `3000`, or a URL such as `http://localhost:3000`; its path is ignored
 * @returns `undefined` if it is neither. For a port alone: the loopback address on which a server accepts connections, IPv4 if none does
 */
export async function originOf(
  typed: string,
  accepts: (host: string, port: number) => Promise<boolean> = acceptsConnections,
): Promise<string | undefined> {
  const target = parse(typed);
  if (target === undefined) return undefined;
  const { host, port, protocol } = target;
  if (host !== undefined) return `${protocol}//${host}:${port}`;
  const onlyIpv6 = !(await accepts('127.0.0.1', port)) && (await accepts('::1', port));
  return `http://${onlyIpv6 ? '[::1]' : '127.0.0.1'}:${port}`;
}

/** Returns what is wrong with a typed server; `undefined` for a valid one. */
export function whatIsWrongWithTarget(typed: string): string | undefined {
  if (parse(typed) !== undefined) return undefined;
  return t(
    'Enter a port of this machine, such as 3000, or its URL, such as http://localhost:3000.',
  );
}

function parse(typed: string): Target | undefined {
  const text = typed.trim();
  if (/^\d{1,5}$/.test(text)) {
    const port = Number(text);
    return port > 0 && port < 65_536 ? { host: undefined, port, protocol: 'http:' } : undefined;
  }
  try {
    const { protocol, hostname, port, username, password } = new URL(text);
    if (protocol !== 'http:' && protocol !== 'https:') return undefined;
    if (!HOSTS.test(hostname) || username !== '' || password !== '') return undefined;
    const usual = protocol === 'https:' ? 443 : 80;
    return { host: hostname, port: port === '' ? usual : Number(port), protocol };
  } catch {
    return undefined;
  }
}

function acceptsConnections(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (accepted: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(accepted);
    };
    const timer = setTimeout(() => end(false), ANSWERS_WITHIN_MS);
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
