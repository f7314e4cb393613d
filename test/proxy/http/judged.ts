interface Judgement {
  readonly whose: 'ours' | 'theirs';
  readonly reason: string;
}

/** Failures that were looked at, by a part of their words. */
const JUDGED: readonly (readonly [part: string, judgement: Judgement])[] = [
  [
    'Read operation timed out',
    {
      whose: 'theirs',
      reason: 'h1spec gives all of its requests at once 500 ms, and the machine had other work',
    },
  ],
];

/** Returns whose a failure is, if it was looked at. */
export function judgementOf(failure: string): Judgement | undefined {
  return JUDGED.find(([part]) => failure.includes(part))?.[1];
}
