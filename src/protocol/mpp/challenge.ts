import { MAX_MESSAGE } from './encodedJson.ts';

/** A challenge of the `Payment` scheme, with its members in the form of the wire. */
export interface MppChallenge {
  /** Made by the seller; binds the seven members after it. */
  readonly id: string;
  readonly realm: string;
  /** How money moves, such as `stellar`. */
  readonly method: string;
  /** What is asked for, such as `charge`. */
  readonly intent: string;
  /** base64url of canonical JSON; its form depends on method and intent. */
  readonly request: string;
  /** RFC 3339 */
  readonly expires?: string | undefined;
  /** Of the body that the request has to have: `sha-256=` and base64. */
  readonly digest?: string | undefined;
  /** The seller's own, which the buyer returns unchanged. */
  readonly opaque?: string | undefined;
  readonly description?: string | undefined;
  /** The request header that the credential is sent in, if it is not `Authorization`. */
  readonly header?: string | undefined;
}

const REQUIRED = ['id', 'realm', 'method', 'intent', 'request'] as const;
const OPTIONAL = ['expires', 'digest', 'opaque', 'description', 'header'] as const;
const MEMBERS = [...REQUIRED, ...OPTIONAL];

/** Challenges of one response that are read; further ones are ignored. */
export const MAX_CHALLENGES = 16;

/** Returns the text whose HMAC-SHA256 is the id of a challenge. An absent member is empty. */
export function challengeText(challenge: Omit<MppChallenge, 'id'>): string {
  const { realm, method, intent, request, expires = '', digest = '', opaque = '' } = challenge;
  const { header } = challenge;
  const named = header === undefined || header.toLowerCase() === 'authorization' ? [] : [header];
  return [realm, method, intent, request, expires, digest, ...named, opaque].join('|');
}

/** What a quoted string of a header may have here: visible ASCII and spaces. Line ends and other controls are not in it. */
const QUOTABLE = /^[\x20-\x7e]*$/;

/** Returns whether a text can be a member of a challenge in a header. */
export function isQuotable(text: string): boolean {
  return QUOTABLE.test(text);
}

/**
 * Writes the value of `WWW-Authenticate` for one challenge.
 * @throws RangeError if a member has a character that a header cannot carry, such as a line end
 */
export function writeChallenge(challenge: MppChallenge): string {
  const parameters = MEMBERS.flatMap((name) => {
    const value = challenge[name];
    if (value === undefined) return [];
    if (!isQuotable(value)) throw new RangeError(`${name} has characters that are not in ASCII`);
    return [`${name}="${value.replace(/["\\]/g, '\\$&')}"`];
  });
  return `Payment ${parameters.join(', ')}`;
}

/** A scheme of HTTP authentication with its parameters; `undefined` if one of them came twice. */
interface Scheme {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string> | undefined;
}

const SCHEME = /[\s,]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?=[\s,]|$)/y;
const PARAMETER =
  /[\s,]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~0-9A-Za-z-]+))(?=[ \t]*(?:,|$))/y;
/** The one value of a scheme without parameters, such as that of `Negotiate`. */
const TOKEN68 = /[ \t]+[A-Za-z0-9._~+/-]+=*(?=[ \t]*(?:,|$))/y;

/** Reads schemes until something is malformed, which ends the list. */
function schemesIn(header: string): readonly Scheme[] {
  const schemes: Scheme[] = [];
  let at = 0;
  const take = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at;
    const found = form.exec(header);
    if (found !== null) at = form.lastIndex;
    return found;
  };
  for (;;) {
    const name = take(SCHEME)?.[1];
    if (name === undefined) return schemes;
    const parameters = new Map<string, string>();
    let isTwice = false;
    for (;;) {
      const [, key, quoted, token] = take(PARAMETER) ?? [];
      if (key === undefined) break;
      const lower = key.toLowerCase();
      isTwice ||= parameters.has(lower);
      parameters.set(lower, token ?? (quoted ?? '').replace(/\\(.)/g, '$1'));
    }
    if (parameters.size === 0) take(TOKEN68);
    schemes.push({ name: name.toLowerCase(), parameters: isTwice ? undefined : parameters });
  }
}

/**
 * Reads the challenges of the `Payment` scheme from the value of `WWW-Authenticate`, among those of other schemes and in the
 * server's order. A challenge without one of its required members, or with one of them twice, is left out.
 */
export function readChallenges(header: string): readonly MppChallenge[] {
  if (header.length > MAX_MESSAGE) return [];
  return schemesIn(header)
    .flatMap(({ name, parameters }) => {
      if (name !== 'payment' || parameters === undefined) return [];
      const [id, realm, method, intent, request] = REQUIRED.map((member) => parameters.get(member));
      if (!id || realm === undefined || !method || !intent || !request) return [];
      const optional = OPTIONAL.flatMap((member) => {
        const value = parameters.get(member);
        return value === undefined ? [] : [[member, value] as const];
      });
      return [{ id, realm, method, intent, request, ...Object.fromEntries(optional) }];
    })
    .slice(0, MAX_CHALLENGES);
}
