/** A failure whose cause is known, and whose it is. */
interface Judged {
  readonly suite: string;
  readonly name: string;
  readonly whose: 'ours' | 'theirs';
  readonly reason: string;
}

const OTHER_WORDS =
  'the answer is of the friendbot that the test itself runs; its words for a bad address changed, and the test did not';

const JUDGED: readonly Judged[] = [
  {
    suite: 'npm-14.6.1',
    name: 'a contract client from its specification',
    whose: 'theirs',
    reason:
      "this version reads a contract's Wasm, and an asset's contract has none; 17 has its specification",
  },
  {
    suite: 'npm-14.6.1',
    name: 'friendbot gives an account that is there already its XLM',
    whose: 'theirs',
    reason:
      'this version looks for the reason in `response.detail`; it is in `response.data.detail`, where 17 looks',
  },
  ...[
    'TestFriendbotRPCIntegration_MissingAddressParameter',
    'TestFriendbotRPCIntegration_InvalidAddress',
  ].map((name) => ({ suite: 'friendbot', name, whose: 'theirs' as const, reason: OTHER_WORDS })),
];

/** Whose a failure is and why, or undefined while nobody has judged it. */
export function judgementOf(
  suite: string,
  name: string,
): Omit<Judged, 'suite' | 'name'> | undefined {
  return JUDGED.find((one) => one.suite === suite && one.name === name);
}
