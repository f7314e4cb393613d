/** Writes of a settlement, recognised by their SQL statement. */
export const WRITES = {
  claim: /^INSERT INTO settlements/,
  lease: /^UPDATE channels SET holder = \?, fence = fence \+ 1 WHERE address = \(/,
  submitting: /SET state = 'submitting'/,
  decided: /^UPDATE settlements SET state = \?, catalog = \?/,
  catalog: /INTO catalog_settlements/,
  cataloged: /SET catalog = 'done'/,
  freed: /^UPDATE channels SET holder = NULL, sequence = \?/,
  given: /SET answer = 'given', held_by = NULL,\s+request = CASE/,
} as const;

export type Write = keyof typeof WRITES;

/** Calls of a settlement to the ledger. */
export const CALLS = ['simulateTransaction', 'sendTransaction', 'getTransaction'] as const;

export type Call = (typeof CALLS)[number];

/** When at a call the process ends: before the server has it, before the answer, or right after. */
export type CallMoment = 'unsent' | 'unanswered' | 'answered';

/** Where a process is killed. */
export type KillPoint =
  | { readonly kind: 'write'; readonly write: Write; readonly moment: 'before' | 'after' }
  | { readonly kind: 'call'; readonly call: Call; readonly moment: CallMoment };

/** Every step of `/settle`, before and after. @param shared whether channels are leased */
export function killPoints(shared: boolean): KillPoint[] {
  const names = (Object.keys(WRITES) as Write[]).filter(
    (name) => shared || (name !== 'lease' && name !== 'freed'),
  );
  return [
    ...names.flatMap((write): KillPoint[] => [
      { kind: 'write', write, moment: 'before' },
      { kind: 'write', write, moment: 'after' },
    ]),
    ...CALLS.flatMap((call): KillPoint[] => [
      { kind: 'call', call, moment: 'unsent' },
      { kind: 'call', call, moment: 'unanswered' },
      { kind: 'call', call, moment: 'answered' },
    ]),
  ];
}

export function nameOf(point: KillPoint): string {
  return point.kind === 'write'
    ? `${point.moment} ${point.write}`
    : `${point.call} ${point.moment}`;
}
