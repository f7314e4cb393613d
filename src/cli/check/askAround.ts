import { type Answer, ask } from './answer.ts';
import { type Asked, judge, type Verdict } from './judge.ts';
import { type Spelling, spellingsOf, unknownPaths } from './spellings.ts';

/** One request that was sent without paying, and what became of it. */
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
  /** What free routes of the project answer. */
  readonly others: readonly Answer[];
  /** A word that is in no path. */
  readonly token: string;
}

/** Asks for a paid route in every spelling, and never pays. */
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

/** Asks, and follows one redirect within the app: some frameworks correct a path that way. */
async function follow(
  origin: string,
  spelling: Spelling,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const first = await ask(origin, spelling, headers);
  const location = first.headers['location'];
  if (first.status < 300 || first.status > 399 || location === undefined) return first;
  const next = URL.canParse(location, origin) ? new URL(location, origin) : undefined;
  if (next === undefined || next.port !== new URL(origin).port) return first;
  return ask(origin, { method: spelling.method, target: next.pathname + next.search }, headers);
}
