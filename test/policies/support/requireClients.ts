/**
 * Why tests with a client that is installed by itself are skipped; false when they run. Where the
 * clients must be there (`npm run lab -- policies`), what is missing is a failure.
 */
export function skipUnless(installed: boolean, reason: string): string | false {
  return installed || process.env['REQUIRE_POLICY_CLIENTS'] !== undefined ? false : reason;
}
