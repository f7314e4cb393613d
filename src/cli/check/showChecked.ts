import type { Report } from '../report.ts';
import { asksForPayment, type Outcome } from './askAround.ts';
import { type CheckedRoute, isSound } from './checkRoutes.ts';
import type { Verdict } from './judge.ts';

const WORDS: Readonly<Record<Verdict, string>> = {
  paid: 'asks for a payment',
  'unknown path': 'not found, like any unknown path',
  nothing: 'answered without the handler',
  refused: 'refused before any handler',
  undecodable: 'the app fails at a path that cannot be decoded',
  'other route': 'a free route of the project',
  free: 'FREE: it answered without asking for a payment',
  failed: 'FAILED: the app did not handle it',
};

/** Prints requests and responses, in a table for each paid route. */
export function showChecked(checked: readonly CheckedRoute[], report: Report): void {
  for (const one of checked) {
    const { file, route, url, problem, outcomes, neighbours } = one;
    const name = `${route.method} ${route.path}`;
    const beside = neighbours.map(({ route: other, url: at, status, charged }) => {
      const words = charged
        ? 'CHARGED: it asks for a payment but is not sold'
        : status === 402
          ? 'the router sends it to the paid endpoint'
          : status >= 500
            ? 'FAILED: the app did not handle it'
            : status === 404 || status === 405
              ? 'not found here, so nothing is known about it'
              : 'free, as your code says';
      return `  ${status}  ${`${other.method} ${at}`.padEnd(WIDTH)}  ${words}`;
    });
    report.say(
      [
        `\n${name}${url === undefined ? '' : ` at ${url}`}: ${isSound(one) ? 'passed' : 'NOT PASSED'}`,
        ...(problem === undefined ? [] : [problem]),
        ...rows(outcomes),
        ...beside,
      ].join('\n'),
      'checked',
      {
        file,
        method: route.method,
        path: route.path,
        url,
        passed: isSound(one),
        ...(problem === undefined ? {} : { problem }),
        requests: outcomes.map(facts),
        neighbours: neighbours.map(({ route: other, url: at, status, charged }) => ({
          method: other.method,
          url: at,
          status,
          charged,
        })),
      },
    );
  }
  const asked = checked.reduce((sum, { outcomes }) => sum + outcomes.length, 0);
  const { free, failed } = counts(checked.flatMap(({ outcomes }) => outcomes));
  const charged = checked.flatMap(({ neighbours }) => neighbours).filter((each) => each.charged);
  report.say(
    `\n${counted(checked.length, 'endpoint')}, ${counted(asked, 'request')}: ${freeAndFailed(free, failed)}, ${charged.length} charged by mistake`,
    'summary',
    { endpoints: checked.length, requests: asked, free, failed, charged: charged.length },
  );
}

/** Prints the requests and responses for a URL. */
export function showUrl(url: string, outcomes: readonly Outcome[], report: Report): void {
  const { free, failed } = counts(outcomes);
  const passed = free + failed === 0 && asksForPayment(outcomes);
  const summary = `${counted(outcomes.length, 'request')}: ${freeAndFailed(free, failed)}`;
  report.say([`${url}`, ...rows(outcomes), summary].join('\n'), 'checked', {
    url,
    passed,
    requests: outcomes.map(facts),
  });
}

const WIDTH = 36;

function rows(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.map(({ spelling, status, verdict }) => {
    const asked = `${spelling.method} ${spelling.target}`.padEnd(WIDTH);
    return `  ${status}  ${asked}  ${WORDS[verdict]}`;
  });
}

function facts({ spelling, status, verdict }: Outcome) {
  return { method: spelling.method, target: spelling.target, status, verdict };
}

function counts(outcomes: readonly Outcome[]): { readonly free: number; readonly failed: number } {
  const count = (wanted: Verdict) => outcomes.filter(({ verdict }) => verdict === wanted).length;
  return { free: count('free'), failed: count('failed') };
}

/** A failed request got nothing, so it is not free; what another one would get is unknown. */
function freeAndFailed(free: number, failed: number): string {
  return failed === 0 ? `${free} free` : `${free} free, ${failed} failed`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
