import {
  canonicalPayTo,
  parseAtomicAmount,
  parseContractAddress,
  parseResource,
  STELLAR_TESTNET,
  type StellarAddress,
} from '../../../protocol/index.ts';
import { paymentRequirementsSchema, type ValidationRule } from '../../../protocol/wire/index.ts';
import type { EchoedResource } from '../declaration/echoed.ts';
import { isJsonObject } from '../declaration/jsonTree.ts';
import { type Listing, listedFor } from '../declaration/listing.ts';
import { descriptionOf, serviceNameOf, tagsOf } from '../declaration/listingText.ts';
import {
  DECLARATION_RULES,
  type Declared,
  type ReadDeclaration,
  readDeclaration,
} from '../declaration/readDeclaration.ts';
import type { CatalogEntry } from '../entry.ts';
import {
  type FetchedChallenge,
  fetchChallenge,
  hasCharge,
  type NotFetched,
  type OwnershipFetch,
} from '../ownership/fetchChallenge.ts';
import { recipientsOf } from '../ownership/recipientsOf.ts';
import { type EntrySource, readByKeys } from '../records/readEntries.ts';
import { standingOf } from '../records/standing.ts';
import { type JudgedCharges, judgeCharges } from './chargeRules.ts';
import { BINDING_MENDS, DECLARATION_MENDS, FORBIDDEN_MEND, OWNERSHIP_MENDS } from './mends.ts';
import { echoed } from './received.ts';

/** Maximum number of options to judge, and to describe. */
const MAX_OPTIONS = 100;
const MAX_DESCRIBED = 3;

interface JudgedTerms {
  readonly rule: ValidationRule;
  /** The recipient of the first option that can settle here. */
  readonly payTo: StellarAddress | undefined;
}

/** Returns why an option cannot settle here, with the value that was received; undefined if it can. */
function problemOf(option: unknown, schemes: readonly string[]): string | undefined {
  const { success, data, error } = paymentRequirementsSchema.safeParse(option);
  if (!success) {
    const member = error.issues[0]?.path.join('.');
    return member ? `${member} is missing or of another type` : `it is ${echoed(option)}`;
  }
  const { scheme, network, asset, amount, payTo } = data;
  if (network !== STELLAR_TESTNET) return `network is ${echoed(network)}`;
  if (!schemes.includes(scheme)) return `scheme is ${echoed(scheme)}`;
  if (parseContractAddress(asset) === undefined) return `asset is ${echoed(asset)}`;
  const units = parseAtomicAmount(amount);
  if (units === undefined || units === 0n) return `amount is ${echoed(amount)}`;
  if (canonicalPayTo(payTo) === undefined) return `payTo is ${echoed(payTo)}`;
  return undefined;
}

/**
 * Judges a challenge's `accepts` by what a settlement of each option will be judged by.
 * @param schemes those that this facilitator settles
 */
export function judgeTerms(accepts: unknown, schemes: readonly string[]): JudgedTerms {
  const fix = `Offer at least one option with network ${STELLAR_TESTNET}, scheme ${schemes.join(' or ')}, the asset’s contract address (C…), an amount in atomic units above zero, and a payTo that is a G or C address.`;
  const fail = (detail: string): JudgedTerms => ({
    rule: { rule: 'terms', outcome: 'failed', detail, mend: fix },
    payTo: undefined,
  });
  if (!Array.isArray(accepts)) return fail(`accepts is ${echoed(accepts)}`);
  if (accepts.length === 0) return fail('accepts is an empty list');
  const options: readonly unknown[] = accepts.slice(0, MAX_OPTIONS);
  const problems: string[] = [];
  for (const [n, option] of options.entries()) {
    const problem = problemOf(option, schemes);
    if (problem === undefined) {
      const { payTo } = paymentRequirementsSchema.parse(option);
      return { rule: { rule: 'terms', outcome: 'passed' }, payTo: canonicalPayTo(payTo) };
    }
    if (problems.length < MAX_DESCRIBED) problems.push(`accepts[${n}]: ${problem}`);
  }
  return fail(problems.join('; '));
}

/** What to validate: a URL to request, or a declaration as in a challenge. */
export type ValidationQuestion =
  | {
      readonly url: string;
      /** The route's method. Default: GET, then POST if the route does not have GET. */
      readonly method?: string | undefined;
    }
  | {
      readonly declared: Declared;
      readonly payTo: string | undefined;
      /** The challenge's `accepts`, if they should be judged too. */
      readonly accepts?: unknown;
      /** The value of `WWW-Authenticate`, if its challenges of MPP should be judged too. */
      readonly authenticate?: string | undefined;
    };

export interface Validation {
  readonly wouldBeListed: boolean;
  readonly resource: string | undefined;
  /** The entry that is listed under the key. */
  readonly listed: CatalogEntry | undefined;
  readonly rules: readonly ValidationRule[];
}

export interface ValidationParts {
  readonly source: EntrySource;
  readonly fetch: OwnershipFetch;
  readonly checksLocalSellers: boolean;
  /** The payment schemes that this facilitator settles. */
  readonly schemes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const SIGNAL_NEVER = new AbortController().signal;

/** Requests the URL; only on the embedded network may it be on this machine. */
async function ask(url: string, method: string, parts: ValidationParts): Promise<FetchedChallenge> {
  const question = { url, method, signal: SIGNAL_NEVER, refusable: true };
  const fetched = await fetchChallenge({ ...question, reach: 'public' }, parts.fetch);
  const isLocal = !fetched.ok && fetched.failure === 'url_not_permitted';
  if (!isLocal || !parts.checksLocalSellers) return fetched;
  return fetchChallenge({ ...question, reach: 'loopback' }, parts.fetch);
}

/** Status codes with which a route refuses a method that it does not have. */
const OTHER_METHOD: ReadonlySet<number> = new Set([404, 405, 501]);

/** Requests the URL with its method. A route without GET is asked by POST, as most of those are. */
async function askRoute(
  { url, method }: { readonly url: string; readonly method?: string | undefined },
  parts: ValidationParts,
): Promise<FetchedChallenge> {
  const fetched = await ask(url, method ?? 'GET', parts);
  const isElsewhere = !fetched.ok && OTHER_METHOD.has(fetched.status ?? 0);
  if (method !== undefined || !isElsewhere) return fetched;
  const posted = await ask(url, 'POST', parts);
  if (posted.ok || posted.failure !== 'not_402') return posted;
  return { ...posted, received: `${fetched.received}, and ${posted.received}` };
}

function payToRule(text: string | undefined, payTo: StellarAddress | undefined): ValidationRule {
  if (payTo !== undefined) return { rule: 'pay_to', outcome: 'passed' };
  if (text === undefined) return { rule: 'pay_to', outcome: 'not_judged' };
  return {
    rule: 'pay_to',
    outcome: 'failed',
    reason: 'invalid_payto',
    detail: `payTo is ${echoed(text)}`,
    mend: 'Set payTo to a G or C address, not to a muxed account (M).',
  };
}

async function bindingRule(
  listing: Listing | undefined,
  payTo: StellarAddress | undefined,
  { source, now }: ValidationParts,
): Promise<ValidationRule> {
  const rule = 'binding';
  if (listing === undefined || payTo === undefined) return { rule, outcome: 'not_judged' };
  const standing = await standingOf(source.database, listing, payTo, now);
  if (standing === 'free' || standing === 'own') return { rule, outcome: 'passed' };
  if (standing === 'forbidden') {
    return { rule, outcome: 'failed', reason: 'binding_refused', mend: FORBIDDEN_MEND };
  }
  return { rule, outcome: 'failed', reason: standing, mend: BINDING_MENDS[standing] };
}

function listedRule(entry: CatalogEntry | undefined): ValidationRule {
  if (entry !== undefined) return { rule: 'settled', outcome: 'passed' };
  return {
    rule: 'settled',
    outcome: 'warning',
    detail: 'no payment for it has been cataloged here',
    mend: 'Let one payment by a buyer that echoes the extensions settle through this facilitator. There is no other way to be listed.',
  };
}

/** Rules that do not decide whether a payment of x402 is listed. */
const ASIDE = /^(?:challenge$|mpp_)/;

async function judge(
  declared: Declared,
  payToText: string | undefined,
  before: readonly ValidationRule[],
  parts: ValidationParts,
): Promise<Validation> {
  const read = await readDeclaration(declared);
  const payTo = payToText === undefined ? undefined : canonicalPayTo(payToText);
  const listing = read.ok ? listedFor(read.listing, payTo) : undefined;
  const binding = await bindingRule(listing, payTo, parts);
  const [listed] = listing === undefined ? [] : await readByKeys(parts.source, [listing.key]);
  const rules = [
    ...before,
    ...declarationRules(read),
    ...textRules(declared),
    payToRule(payToText, payTo),
    binding,
    listedRule(listed),
  ];
  return {
    wouldBeListed: !rules.some(({ rule, outcome }) => outcome === 'failed' && !ASIDE.test(rule)),
    resource: listing?.resource,
    listed,
    rules,
  };
}

/**
 * Explains why a resource is or is not listed: each rule, passed or failed, and how to fix it. The
 * challenge is requested from a URL under the rules of the ownership check, and it is validated like a
 * buyer's echo of it.
 */
export async function validate(
  question: ValidationQuestion,
  parts: ValidationParts,
): Promise<Validation> {
  if ('declared' in question) {
    const { declared, payTo, accepts, authenticate } = question;
    const terms = accepts === undefined ? [] : [judgeTerms(accepts, parts.schemes).rule];
    const charges = authenticate === undefined ? [] : judgeCharges(authenticate, parts.now).rules;
    return judge(declared, payTo, [...terms, ...charges], parts);
  }
  const fetched = await askRoute(question, parts);
  if (!fetched.ok) {
    const rules = [{ ...unread(fetched), outcome: 'failed' as const }];
    return { wouldBeListed: false, resource: undefined, listed: undefined, rules };
  }
  const { x402, authenticate } = fetched;
  const charges = hasCharge(authenticate) ? judgeCharges(authenticate, parts.now) : undefined;
  if (!x402.ok) return judgeChargesAlone(question.url, x402, charges, parts);
  const { challenge } = x402;
  const terms = judgeTerms(challenge['accepts'], parts.schemes);
  const [anyRecipient] = recipientsOf(challenge);
  const payTo = terms.payTo ?? anyRecipient;
  const declared = { resource: challenge['resource'], extensions: challenge['extensions'] };
  const asked: ValidationRule = { rule: 'challenge', outcome: 'passed' };
  return judge(declared, payTo, [asked, terms.rule, ...(charges?.rules ?? [])], parts);
}

/** The rule of a challenge of x402 that was not read, without its outcome. */
function unread({ failure, received }: NotFetched): Omit<ValidationRule, 'outcome'> {
  return {
    rule: 'challenge',
    detail: received === undefined ? failure : `${failure}: ${received}`,
    mend: OWNERSHIP_MENDS[failure],
  };
}

/**
 * Judges a URL that asks by MPP alone. Its challenges carry no declaration, so only an entry that is listed shows what a further
 * payment would do.
 */
async function judgeChargesAlone(
  url: string,
  x402: NotFetched,
  charges: JudgedCharges | undefined,
  { source }: ValidationParts,
): Promise<Validation> {
  const parsed = parseResource(url);
  const [listed] = parsed.ok ? await readByKeys(source, [parsed.resource.key]) : [];
  const isOwn = listed !== undefined && listed.payTo === charges?.payTo;
  const declaration: ValidationRule = {
    rule: 'extension',
    outcome: 'not_judged',
    detail: 'a challenge of MPP carries no declaration',
    mend: 'Send resource, extensions and payTo in the body instead of url to have the declaration judged.',
  };
  const rules = [
    { ...unread(x402), outcome: 'warning' as const },
    ...(charges?.rules ?? []),
    declaration,
    listedRule(listed),
  ];
  return { wouldBeListed: isOwn, resource: listed?.listing.resource, listed, rules };
}

/** Returns each rule of a declaration: rules before the failed one passed, rules after it are not judged. */
function declarationRules(read: ReadDeclaration): ValidationRule[] {
  const failed = read.ok ? DECLARATION_RULES.length : DECLARATION_RULES.indexOf(read.rule);
  return DECLARATION_RULES.map((rule, at) => {
    if (at === failed && !read.ok) {
      const { reason, detail } = read;
      return { rule, outcome: 'failed', reason, detail, mend: DECLARATION_MENDS[rule] };
    }
    if (at > failed) return { rule, outcome: 'not_judged' };
    if (rule === 'route_template' && read.ok && read.templateDropped !== undefined) {
      const detail = `the template is left out: ${read.templateDropped}`;
      return { rule, outcome: 'warning', detail, mend: DECLARATION_MENDS[rule] };
    }
    return { rule, outcome: 'passed' };
  });
}

function textRule(rule: string, isKept: boolean, mend: string): ValidationRule {
  return isKept ? { rule, outcome: 'passed' } : { rule, outcome: 'warning', mend };
}

/** Returns the rules of a resource's texts: a text that breaks its rule is left out of the entry. */
function textRules({ resource }: Declared): ValidationRule[] {
  const said: EchoedResource = isJsonObject(resource) ? resource : {};
  const { serviceName, description, tags } = said;
  const kept = tagsOf(tags).length;
  return [
    textRule(
      'service_name',
      serviceNameOf(serviceName) !== undefined,
      'Set a serviceName of 1 to 64 printable ASCII characters (32 for the canonical helpers): without it the search finds the entry less often.',
    ),
    textRule(
      'description',
      typeof description === 'string' && descriptionOf(description) === description,
      'Set a description of at most 256 characters on one line; longer text is cut off.',
    ),
    textRule(
      'tags',
      kept > 0 && Array.isArray(tags) && kept === tags.length,
      'Set up to ten tags of 1 to 64 printable ASCII characters, each once.',
    ),
  ];
}
