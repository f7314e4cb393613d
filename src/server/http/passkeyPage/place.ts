import { timingSafeEqual } from 'node:crypto';
import { PasskeyError } from '../../policies/index.ts';

/** Returns a request header, used to check where the request comes from. */
export type Header = (name: string) => string | undefined;

/** Names of this machine that a browser cannot be made to resolve elsewhere, with any port. */
const THIS_MACHINE = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;
/** WebAuthn does not support IP addresses: the passkeys belong to `localhost`. */
const LOCALHOST = /^localhost(:\d{1,5})?$/;

/**
 * Checks that a request is from the page itself: at `localhost` (a name that was rebound to this machine
 * differs), and not sent by another site. A request that changes something must have the page's origin.
 * @throws PasskeyError `wrong_place`
 */
export function requireOwnPage(header: Header, { changes }: { changes: boolean }): void {
  const host = header('host') ?? '';
  const origin = header('origin');
  const site = header('sec-fetch-site');
  const own = origin === `http://${host}` || origin === `https://${host}`;
  if (!LOCALHOST.test(host))
    throw new PasskeyError('wrong_place', 'the request does not name localhost');
  if (changes ? !own : origin !== undefined && !own) {
    throw new PasskeyError('wrong_place', 'the request comes from another site');
  }
  // Browsers that support this header send it with every request.
  if (site !== undefined && site !== 'same-origin') {
    throw new PasskeyError('wrong_place', 'the request comes from another site');
  }
}

/**
 * Checks that a document is opened on this machine; any site may link to it. At an IP address it is also served, but redirects
 * itself to `localhost`, because its other paths answer only there.
 * @throws PasskeyError `wrong_place`
 */
export function requireThisMachine(header: Header): void {
  if (!THIS_MACHINE.test(header('host') ?? '')) throw new PasskeyError('wrong_place');
}

/**
 * Checks that the caller is a program of this user and not a web page: it sends the secret from the
 * service's own file, and browsers add an origin to requests of pages.
 * @throws PasskeyError `wrong_place`, `not_permitted`
 */
export function requirePermitted(header: Header, secret: string): void {
  requireThisMachine(header);
  if (header('origin') !== undefined || header('sec-fetch-site') !== undefined) {
    throw new PasskeyError('wrong_place', 'the request comes from a web page');
  }
  const shown = Buffer.from(header('authorization') ?? '');
  const expected = Buffer.from(`Bearer ${secret}`);
  if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) {
    throw new PasskeyError('not_permitted');
  }
}
