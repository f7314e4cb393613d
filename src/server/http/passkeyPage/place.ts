import { timingSafeEqual } from 'node:crypto';
import { PasskeyError } from '../../policies/index.ts';

/** What of a request tells where it comes from. */
export type Header = (name: string) => string | undefined;

/** Names of this machine that a browser cannot be made to resolve elsewhere, with any port. */
const THIS_MACHINE = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;
/** WebAuthn knows no addresses: the passkeys are those of `localhost`. */
const LOCALHOST = /^localhost(:\d{1,5})?$/;

/**
 * Holds that a request is of the page's own: at `localhost` (a name that was rebound to this machine
 * is another), and not sent by another site. What changes something says its origin.
 * @throws PasskeyError `wrong_place`
 */
export function requireOwnPage(header: Header, { changes }: { changes: boolean }): void {
  const host = header('host') ?? '';
  const origin = header('origin');
  const site = header('sec-fetch-site');
  const own = origin === `http://${host}` || origin === `https://${host}`;
  if (!LOCALHOST.test(host)) throw new PasskeyError('wrong_place', 'it is not asked as localhost');
  if (changes ? !own : origin !== undefined && !own) {
    throw new PasskeyError('wrong_place', 'another site asks');
  }
  // Browsers that tell it tell it on every request.
  if (site !== undefined && site !== 'same-origin') {
    throw new PasskeyError('wrong_place', 'another site asks');
  }
}

/**
 * Holds that a document is opened on this machine; who links to it does not matter. Under a number
 * it is the document still, which goes on to `localhost` by itself: its paths answer there alone.
 * @throws PasskeyError `wrong_place`
 */
export function requireThisMachine(header: Header): void {
  if (!THIS_MACHINE.test(header('host') ?? '')) throw new PasskeyError('wrong_place');
}

/**
 * Holds that a program of this user's asks, and no web page: it shows the secret of the service's
 * own file, and browsers put an origin to what pages send.
 * @throws PasskeyError `wrong_place`, `not_permitted`
 */
export function requirePermitted(header: Header, secret: string): void {
  requireThisMachine(header);
  if (header('origin') !== undefined || header('sec-fetch-site') !== undefined) {
    throw new PasskeyError('wrong_place', 'a web page asks');
  }
  const shown = Buffer.from(header('authorization') ?? '');
  const expected = Buffer.from(`Bearer ${secret}`);
  if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) {
    throw new PasskeyError('not_permitted');
  }
}
