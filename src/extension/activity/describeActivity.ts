import { t, timeOfDay } from '../words/index.ts';
import type { Activity } from './activityOf.ts';

/** Activity of an endpoint as lines of text, newest first. */
export function describeActivity(url: string, activities: readonly Activity[]): string {
  const note = t(
    'Challenges are shown only for test payments: endpoints send them without contacting the facilitator.',
  );
  return [
    t('Payments for {0}, newest first', url),
    note,
    '',
    ...(activities.length === 0
      ? [t('No activity since the service started.')]
      : activities.map(lineOf)),
    '',
  ].join('\n');
}

/** The latest activity in a few words; `undefined` if there is none. */
export function lastActivity([last]: readonly Activity[]): string | undefined {
  return (
    last && [timeOfDay(new Date(last.at)), nameOf(last.kind), last.price].filter(Boolean).join(' ')
  );
}

function lineOf({ at, kind, price, payer, hash, reason }: Activity): string {
  const parts = [
    price,
    payer === '' ? '' : t('from {0}', payer),
    hash === '' ? '' : t('transaction {0}', hash),
    reason,
  ];
  const words = parts.filter((part) => part !== '').join(', ');
  return `${timeOfDay(new Date(at))}  ${nameOf(kind)}${words === '' ? '' : `: ${words}`}`;
}

function nameOf(kind: Activity['kind']): string {
  switch (kind) {
    case 'challenge':
      return t('Challenge');
    case 'verified':
      return t('Verified');
    case 'settled':
      return t('Settled');
    case 'refused':
      return t('Refused');
  }
}
