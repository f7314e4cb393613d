import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../rateLimit/index.ts';

/** Headers that proxies add. Behind a proxy on this machine, each connection comes from this machine. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const;

/** Whether a request comes from a program on this machine, without a proxy in between. */
export function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const peer = socket.remoteAddress?.replace(/^::ffff:/, '');
  if (peer === undefined || FORWARDED.some((name) => headers[name] !== undefined)) return false;
  return isLoopback(peer) || peer === socket.localAddress?.replace(/^::ffff:/, '');
}
