import type { Contradiction, Delivered } from '../helpers/truth/judge.ts';
import type { OutsideReport } from './runOutside.ts';

const MONEY = ['yes', 'no', 'fees', 'not_yet', 'unknown'] as const;
const WIDTH = 46;
/** Answers of a contradiction's payment that are shown. */
const MAX_SHOWN = 10;

function row(cells: readonly (string | number)[]): string {
  return cells
    .map((cell, index) => (index === 0 ? `${cell}`.padEnd(WIDTH) : `${cell}`.padStart(9)))
    .join('');
}

/** By behaviour: payments, calls that were spoilt, payments that moved, answers by what they say. */
function table(report: OutsideReport): string[] {
  const { sales, records, judgement, movedPayments } = report;
  const lines = [row(['behaviour', 'payments', 'spoilt', 'moved', ...MONEY, 'false'])];
  const sums = new Array<number>(4 + MONEY.length).fill(0);
  for (const { name } of report.options.behaviours) {
    const mine = new Map(
      sales
        .filter(({ weather }) => weather.behaviour.name === name)
        .map((sale) => [sale.payment, sale]),
    );
    const isMine = ({ payment }: { readonly payment: string }) =>
      mine.has(records.saleOf(payment) ?? '');
    const answers = records.delivered.filter(isMine);
    const counts = [
      mine.size,
      [...mine.values()].reduce((sum, { weather }) => sum + weather.spoilt, 0),
      [...mine.keys()].filter((payment) => movedPayments.has(payment)).length,
      ...MONEY.map((money) => answers.filter(({ claim }) => claim.money === money).length),
      judgement.contradictions.filter(isMine).length,
    ];
    counts.forEach((count, index) => {
      sums[index] = (sums[index] ?? 0) + count;
    });
    lines.push(row([name, ...counts]));
  }
  return [...lines, row(['', ...sums])];
}

/** An answer without the members that are the same in all. */
function withoutNoise(text: string): string {
  const noise = /"(network|payer|payTo|asset|errorReason|error|invalidReason)":"[^"]*",?/g;
  return text.replace(noise, '').slice(0, 600);
}

function tellContradiction(
  { kind, payment, answers, facts }: Contradiction,
  report: OutsideReport,
) {
  const sale = report.sales.find((one) => one.payment === report.records.saleOf(payment));
  console.error(
    `\nCONTRADICTION: ${kind}, seed ${report.options.seed}, ${payment} (${sale?.amount}), «${sale?.weather.behaviour.name}»`,
  );
  const moved = [...facts.moved, ...(facts.kin ?? [])].map(
    ({ hash, ledger, arrived }) => `${arrived} by ${hash} in ledger ${ledger}`,
  );
  console.error(`  the ledger: ${moved.length === 0 ? 'nothing moved' : moved.join('; ')}`);
  const inQuestion = new Set(answers);
  const all = report.records.delivered.filter((one) => one.payment === payment);
  const isShown = (one: Delivered) => answers.length < MAX_SHOWN && inQuestion.has(one);
  const shown =
    all.length <= MAX_SHOWN
      ? all
      : [...all.slice(0, 3), ...all.slice(3, -4).filter(isShown), ...all.slice(-4)];
  for (const answer of shown) {
    const { at, seen, to, from, text } = answer;
    const mark = inQuestion.has(answer) ? '→' : ' ';
    console.error(
      `  ${mark} ${at.toFixed(0)} ms, ledger ${seen}, ${from} to ${to}: ${withoutNoise(text)}`,
    );
  }
  if (shown.length < all.length) console.error(`    … of ${all.length} answers`);
  const asked = report.records.asked.filter((one) => one.payment === payment);
  const times = asked.slice(0, MAX_SHOWN).map(({ at }) => at.toFixed(0));
  console.error(`  asked ${asked.length} times, at ${times.join(', ')} ms`);
}

/** Prints a run: its table, what happened in it, and each contradiction. */
export function tellReport(report: OutsideReport): void {
  const { options, records, judgement, calamities } = report;
  const line = (name: string, value: unknown) => console.log(`  ${name.padEnd(WIDTH)} ${value}`);
  console.log(`\n${options.store}, seed ${options.seed}, ${report.seconds} s`);
  for (const text of table(report)) console.log(`  ${text}`);
  console.log('');
  line('requests to settle', records.asked.length);
  line('… without an answer', records.unanswered);
  line('answers delivered', records.delivered.length);
  const receivers = new Set(records.delivered.map(({ to }) => to));
  for (const to of receivers) {
    line(`… to ${to}`, records.delivered.filter((one) => one.to === to).length);
  }
  line('kills', report.kills);
  for (const [kind, times] of calamities) line(`… ${kind}`, times);
  line('sold again within the documented moment', judgement.soldAgainAfterInterruption);
  line('unfinished in the journal', report.unfinished);
  for (const why of report.leftOut) line('left out', why);
  for (const death of report.deaths) console.error(`  ${death}`);
  for (const one of judgement.contradictions) tellContradiction(one, report);
}

export function failed({ judgement, deaths, leakedChannels, unfinished }: OutsideReport): boolean {
  const found = judgement.contradictions.length + deaths.length;
  return found + leakedChannels + unfinished > 0;
}

export function closingLine(reports: readonly OutsideReport[]): string {
  const sum = (of: (report: OutsideReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0);
  const contradictions = sum(({ judgement }) => judgement.contradictions.length);
  const deaths = sum((report) => report.deaths.length);
  const channels = sum(({ leakedChannels }) => leakedChannels);
  return `${contradictions} contradictions, ${deaths} processes ended, ${channels} channels leaked`;
}
