import { type Answer, ask } from './answer.ts';
import { type Asked, hadNoEffect, judge, type Verdict } from './judge.ts';
import { type SpelledFramework, type Spelling, spellingsOf, unknownPaths } from './spellings.ts';

/** One request that was sent without a payment, and its outcome. */
export interface Outcome {
  readonly spelling: Spelling;
  readonly status: number;
  readonly verdict: Verdict;
}

/** Whether the request as its endpoint is documented was asked for a payment, without which nothing was checked. */
export function asksForPayment(outcomes: readonly Outcome[]): boolean {
  return outcomes[0]?.verdict === 'paid';
}

interface Asking {
  readonly origin: string;
  readonly method: string;
  /** The framework of the endpoint, if it is known. */
  readonly framework: SpelledFramework | undefined;
  /** Whether a free endpoint at the same path changes something, so that it is not asked. */
  readonly writes: boolean;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Responses of the project's free routes. */
  readonly others: readonly Answer[];
  /** A random word that no path contains. */
  readonly token: string;
}

/** Requests a paid route in every spelling, and never pays. */
export async function askAround(asking: Asking): Promise<readonly Outcome[]> {
  const { origin, url, headers, others, token } = asking;
  const unknown = unknownPaths(url, token).map((path) => sentTo(path, asking));
  const outcomes: Outcome[] = [];
  let closed: unknown;
  for (const [index, spelling] of sentTo(url, asking).entries()) {
    const answer = await follow(origin, spelling, headers).catch((error: unknown) => {
      // Some servers end the connection of a request that they cannot read.
      if (index === 0) throw error;
      closed ??= error;
      return CLOSED;
    });
    const needed = answer.status !== 402;
    const beside: Asked[] = [];
    for (const list of needed ? unknown : []) {
      const same = list[index];
      if (!same) continue;
      beside.push({
        spelling: same,
        answer: await follow(origin, same, headers).catch(() => CLOSED),
      });
    }
    const asked = { spelling, answer };
    const verdict = judge(asked, beside, others);
    const reached = verdict === 'free' && (await reachesPlain(asked, origin, headers));
    outcomes.push({ spelling, status: answer.status, verdict: reached ? 'other route' : verdict });
  }
  if (closed !== undefined) {
    // If the app has ended, nothing is known about the requests after that.
    const again = await ask(origin, { method: asking.method, target: url }, headers).catch(
      () => CLOSED,
    );
    if (again.status !== outcomes[0]?.status) throw closed;
  }
  return outcomes;
}

/** The spellings of a path, without those that would reach a free endpoint which changes something. */
function sentTo(path: string, { method, framework, writes }: Asking): readonly Spelling[] {
  return spellingsOf(method, path, framework).filter(
    ({ plain }) => !writes || plain === undefined || plain.method === 'GET',
  );
}

/** Whether a request reached what the same request without its unusual part reaches, which is not sold. */
async function reachesPlain(
  asked: Asked,
  origin: string,
  headers: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { plain } = asked.spelling;
  if (plain === undefined) return false;
  return hadNoEffect(asked, await follow(origin, plain, headers).catch(() => CLOSED));
}

/** What is known of a request whose connection was closed without a response. */
const CLOSED: Answer = { status: 0, headers: {}, body: '' };

/** Maximum number of redirects followed within the app, since some frameworks correct a path step by step. */
const MAX_REDIRECTS = 5;

/** Sends a request and follows redirects within the app. */
async function follow(
  origin: string,
  spelling: Omit<Spelling, 'name' | 'plain'>,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { method } = spelling;
  let answer = await ask(origin, spelling, headers);
  for (let step = 0; step < MAX_REDIRECTS; step += 1) {
    const location = answer.headers['location'];
    if (answer.status < 300 || answer.status > 399 || location === undefined) break;
    const next = URL.canParse(location, origin) ? new URL(location, origin) : undefined;
    if (next === undefined || next.port !== new URL(origin).port) break;
    answer = await ask(origin, { method, target: next.pathname + next.search }, headers);
  }
  return answer;
}
