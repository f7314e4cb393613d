import { html, type WebviewParts, webviewPage } from '../webviewPage.ts';
import { later, t } from '../words/index.ts';
import type { Report, ReportItem, ReportSection } from './report.ts';

/**
 * The page of a report, including all of its text.
 * @param key under which the report is found after a reload
 */
export function reportPage(parts: WebviewParts, report: Report, key: string): string {
  const { title, verdict, good, sections } = report;
  return webviewPage(
    parts,
    title,
    `<h1>${html(title)}</h1>
<p id="headline" class="${good ? 'settled' : 'failed'}" role="status">${html(verdict)}</p>
${sections.map(sectionOf).join('\n')}`,
    { key },
  );
}

/** The page while there is no report: progress, or the reason for a failure. */
export function messagePage(
  parts: WebviewParts,
  { title, message, failed }: { title: string; message: string; failed: boolean },
  key: string,
): string {
  const again = `<button type="button" data-kind="again">${html(t('Try Again'))}</button>`;
  return webviewPage(
    parts,
    title,
    `<h1>${html(title)}</h1>
<p id="headline" role="status">${html(message)}</p>${failed ? `\n<div class="actions">${again}</div>` : ''}`,
    { key },
  );
}

function sectionOf({ title, items, note, raw }: ReportSection, index: number): string {
  const id = `section-${index}`;
  const checks = items.filter(({ state }) => state !== undefined);
  const facts = items.filter(({ state }) => state === undefined);
  const parts = [
    title === '' ? '' : `<h2 id="${id}">${html(title)}</h2>`,
    checks.length === 0 ? '' : `<ul class="checks">${checks.map(checkOf).join('')}</ul>`,
    facts.length === 0 ? '' : `<dl>${facts.map(factOf).join('')}</dl>`,
    note === undefined ? '' : `<p>${html(note)}</p>`,
    raw === undefined
      ? ''
      : `<details><summary>${html(t('{0}: raw data', title))}</summary><pre tabindex="0" aria-label="${html(t('{0}: raw data', title))}">${html(raw)}</pre></details>`,
  ];
  const named = title === '' ? '' : ` aria-labelledby="${id}"`;
  return `<section${named}>${parts.join('')}</section>`;
}

const MARKS = { passed: '✓', failed: '✗', warning: '!', skipped: '·' } as const;
const STATES = {
  passed: later('Passed: {0}'),
  failed: later('Failed: {0}'),
  warning: later('Warning: {0}'),
  skipped: later('Not checked: {0}'),
} as const;

function checkOf({ state = 'skipped', label, value, next }: ReportItem): string {
  const words = value === '' ? '' : ` ${html(value)}`;
  return `<li class="${state}"><span aria-hidden="true">${MARKS[state]}</span> <strong>${html(t(STATES[state], label))}</strong>${words}${nextOf(next)}</li>`;
}

function nextOf(next: ReportItem['next']): string {
  if (next === undefined) return '';
  const { text, action } = next;
  const button =
    action === undefined
      ? ''
      : ` <button type="button" class="secondary" data-command="${html(action.command)}">${html(action.label)}</button>`;
  return `<p class="next">${html(text)}${button}</p>`;
}

function factOf({ label, value, link }: ReportItem): string {
  const shown = link === undefined ? html(value) : `<a href="${html(link)}">${html(value)}</a>`;
  return `<dt>${html(label)}</dt><dd>${shown}</dd>`;
}
