import { isAccountAddress, type StellarAddress } from '../../../../protocol/index.ts';
import { explainRefusal } from '../../../../protocol/smartAccount/index.ts';

const MAX_DETAIL = 200;

/** The host's first line says what failed; what follows is a log of events. */
export function firstLine(report: string): string {
  return (report.split('\n', 1)[0] ?? '').slice(0, MAX_DETAIL);
}

/** Who did not let the payer's authorization count. */
export interface AuthorizationRefusal {
  readonly by: 'signature' | 'smartAccount';
  readonly detail: string;
}

/** Reads in the host's words that an authorization was refused; nothing if it was something else. */
export function readAuthorizationRefusal(
  report: string,
  payer: StellarAddress,
): AuthorizationRefusal | undefined {
  const detail = firstLine(report);
  if (!/Error\(Auth, /.test(detail)) return undefined;
  if (isAccountAddress(payer)) return { by: 'signature', detail };
  return { by: 'smartAccount', detail: explainRefusal(report)?.message ?? detail };
}
