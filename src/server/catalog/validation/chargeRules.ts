import { STELLAR_TESTNET } from '../../../protocol/index.ts';
import { decodeJson, type MppChallenge, readChallenges } from '../../../protocol/mpp/index.ts';
import type { ValidationRule } from '../../../protocol/wire/index.ts';
import { isJsonObject } from '../declaration/jsonTree.ts';
import { isPayableAt, readChargeTerms } from '../ownership/chargeTerms.ts';
import { echoed } from './received.ts';

/** Maximum number of challenges to describe in one reason. */
const MAX_DESCRIBED = 3;
/** The text of 256 bits in base64url: what an HMAC-SHA256 looks like. */
const HMAC_TEXT = /^[A-Za-z0-9_-]{43}=?$/;

const MENDS = {
  mpp_challenge:
    'Write Payment id="…", realm="…", method="…", intent="…", request="…": each member once, in quotes, request in base64url of JSON.',
  mpp_terms: `Offer one charge on Stellar: network ${STELLAR_TESTNET}, the asset’s contract address (C…) as currency, an amount in atomic units above zero, a recipient that is a G or C address, feePayer true, and credentialTypes with transaction.`,
  mpp_expiry:
    'Set expires to a time in the form 2026-11-28T12:00:00Z, as far ahead as the payment may take. Without it, the seller alone knows when the challenge ends.',
  mpp_binding:
    'Compute id as the HMAC-SHA256 of realm, method, intent, request, expires, digest and opaque, in base64url, and name method and path in opaque: nothing else binds the credential to its route.',
} as const;

type RuleName = keyof typeof MENDS;
type Outcome = ValidationRule['outcome'];

function ruled(rule: RuleName, outcome: Outcome, problems: readonly string[]): ValidationRule {
  if (problems.length === 0) return { rule, outcome: 'passed' };
  const detail = problems.slice(0, MAX_DESCRIBED).join('; ');
  return { rule, outcome, detail, mend: MENDS[rule] };
}

/** What the text that a challenge binds shows about its id. The key is the seller's, so the HMAC itself cannot be checked. */
function bindingProblems(challenges: readonly MppChallenge[]): readonly string[] {
  const termsOf = new Map<string, string>();
  return challenges.flatMap(({ id, opaque, ...rest }, n) => {
    const name = `challenge ${n + 1}`;
    if (!HMAC_TEXT.test(id)) {
      return `${name}: id is ${echoed(id)}, and an HMAC-SHA256 has 43 characters of base64url`;
    }
    const terms = JSON.stringify([opaque, ...Object.entries(rest).sort()]);
    const other = termsOf.get(id);
    if (other !== undefined && other !== terms) {
      return `${name}: id is ${echoed(id)}, the same as that of other terms`;
    }
    termsOf.set(id, terms);
    if (opaque === undefined) return `${name}: opaque is missing, so no route is named`;
    return isJsonObject(decodeJson(opaque) as object)
      ? []
      : `${name}: opaque is ${echoed(opaque)}, which is not base64url of a JSON object`;
  });
}

function expiryProblem({ expires }: MppChallenge, now: number): string | undefined {
  if (expires === undefined) return 'expires is missing';
  if (Number.isNaN(Date.parse(expires))) return `expires is ${echoed(expires)}`;
  return now < Date.parse(expires)
    ? undefined
    : `expires is ${echoed(expires)}, and now it is ${new Date(now).toISOString()}`;
}

/** What can be said of a response's challenges of MPP. */
export interface JudgedCharges {
  readonly rules: readonly ValidationRule[];
  /** The recipient of the first challenge that can settle here. */
  readonly payTo: string | undefined;
}

/**
 * Judges the challenges of MPP in `WWW-Authenticate`: whether they can be read, whether a payment of one can settle here, when
 * it ends, and what its id shows. Each reason names what was received.
 * @param now milliseconds since the epoch
 */
export function judgeCharges(authenticate: string, now: number): JudgedCharges {
  const challenges = readChallenges(authenticate);
  if (challenges.length === 0) {
    const rest = (['mpp_terms', 'mpp_expiry', 'mpp_binding'] as const).map((rule) => ({
      ...{ rule, outcome: 'not_judged' as const },
    }));
    const received = `WWW-Authenticate is ${echoed(authenticate)}`;
    return { rules: [ruled('mpp_challenge', 'failed', [received]), ...rest], payTo: undefined };
  }
  const judged = challenges.map((challenge) => ({ challenge, terms: readChargeTerms(challenge) }));
  const settling = judged.flatMap(({ challenge, terms }) =>
    terms.ok ? [{ challenge, payTo: terms.payTo }] : [],
  );
  const problems = judged.flatMap(({ terms }, n) =>
    terms.ok ? [] : [`challenge ${n + 1}: ${terms.member} is ${echoed(terms.received)}`],
  );
  // Challenges of other methods are judged by others.
  const ours = settling.length === 0 ? challenges : settling.map(({ challenge }) => challenge);
  const payable = ours.filter((challenge) => isPayableAt(challenge, now));
  const expiries = ours.flatMap((challenge) => expiryProblem(challenge, now) ?? []);
  return {
    rules: [
      ruled('mpp_challenge', 'passed', []),
      ruled('mpp_terms', 'failed', settling.length === 0 ? problems : []),
      ruled('mpp_expiry', payable.length === 0 ? 'failed' : 'warning', expiries),
      ruled('mpp_binding', 'warning', bindingProblems(ours)),
    ],
    payTo: settling.find(({ challenge }) => isPayableAt(challenge, now))?.payTo,
  };
}
