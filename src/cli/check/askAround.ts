import { type Answer, ask } from './answer.ts';
import { type Asked, judge, type Verdict } from './judge.ts';
import { type Spelling, spellingsOf, unknownPaths } from './spellings.ts';

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
  const { origin, method, url, headers, others, token } = asking;
  const unknown = unknownPaths(url, token).map((path) => spellingsOf(method, path));
  const outcomes: Outcome[] = [];
  let closed: unknown;
  for (const [index, spelling] of spellingsOf(method, url).entries()) {
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
    const verdict = judge({ spelling, answer }, beside, others);
    outcomes.push({ spelling, status: answer.status, verdict });
  }
  if (closed !== undefined) {
    // If the app has ended, nothing is known about the requests after that.
    const again = await ask(origin, { method, target: url }, headers).catch(() => CLOSED);
    if (again.status !== outcomes[0]?.status) throw closed;
  }
  return outcomes;
}

/** What is known of a request whose connection was closed without a response. */
const CLOSED: Answer = { status: 0, headers: {}, body: '' };

/** Maximum number of redirects followed within the app, since some frameworks correct a path step by step. */
const MOST_REDIRECTS = 5;

/** Sends a request and follows redirects within the app. */
async function follow(
  origin: string,
  spelling: Pick<Spelling, 'method' | 'target' | 'version'>,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { method } = spelling;
  let answer = await ask(origin, spelling, headers);
  for (let step = 0; step < MOST_REDIRECTS; step += 1) {
    const location = answer.headers['location'];
    if (answer.status < 300 || answer.status > 399 || location === undefined) break;
    const next = URL.canParse(location, origin) ? new URL(location, origin) : undefined;
    if (next === undefined || next.port !== new URL(origin).port) break;
    answer = await ask(origin, { method, target: next.pathname + next.search }, headers);
  }
  return answer;
}
