import { type Answer, ask } from './answer.ts';
import { type Asked, judge, type Verdict } from './judge.ts';
import { type Spelling, spellingsOf, unknownPaths } from './spellings.ts';

/** One request that was sent without a payment, and its outcome. */
export interface Outcome {
  readonly spelling: Spelling;
  readonly status: number;
  readonly verdict: Verdict;
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
  for (const [index, spelling] of spellingsOf(method, url).entries()) {
    const answer = await follow(origin, spelling, headers);
    const needed = answer.status !== 402;
    const beside: Asked[] = [];
    for (const list of needed ? unknown : []) {
      const same = list[index];
      if (same) beside.push({ spelling: same, answer: await follow(origin, same, headers) });
    }
    const verdict = judge({ spelling, answer }, beside, others);
    outcomes.push({ spelling, status: answer.status, verdict });
  }
  return outcomes;
}

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
