import { isAccountAddress, type StellarAddress } from '../../../../protocol/index.ts';
import { explainRefusal } from '../../../../protocol/smartAccount/index.ts';

const MAX_DETAIL = 200;

/** Returns the first line of the host's report, which describes the failure; a log of events follows. */
export function firstLine(report: string): string {
  return (report.split('\n', 1)[0] ?? '').slice(0, MAX_DETAIL);
}

/** The refusal of the payer's authorization. */
export interface AuthorizationRefusal {
  readonly by: 'signature' | 'smartAccount';
  readonly detail: string;
}

/** Reads from the host's report that an authorization was refused; `undefined` for other failures. */
export function readAuthorizationRefusal(
  report: string,
  payer: StellarAddress,
): AuthorizationRefusal | undefined {
  const detail = firstLine(report);
  if (!/Error\(Auth, /.test(detail)) return undefined;
  if (isAccountAddress(payer)) return { by: 'signature', detail };
  return { by: 'smartAccount', detail: explainRefusal(report)?.message ?? detail };
}
