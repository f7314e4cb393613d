import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Report, readReport } from './report.ts';
import { messagePage, reportPage } from './reportPage.ts';

const PARTS = { nonce: 'n', source: 's', script: 'report.js', style: 'page.css' };

const REPORT: Report = {
  title: 'Setup',
  verdict: '1 of 2 checks failed.',
  good: false,
  sections: [
    {
      title: 'Checks',
      items: [
        { label: 'Network', value: 'http://h/', state: 'passed' },
        {
          label: 'Account',
          value: 'missing',
          state: 'failed',
          next: { text: '', action: { label: 'Fund', command: 'svc-x402.fundWallet' } },
        },
      ],
    },
    {
      title: 'Transaction',
      items: [{ label: 'Hash', value: 'ab', link: 'http://h/tx/ab' }],
      raw: '{"a":"<b>"}',
    },
  ],
};

describe('a report', () => {
  const page = reportPage(PARTS, REPORT, 'report-1');

  it('shows the result first, then checks in words, not only as marks', () => {
    assert.ok(page.indexOf('1 of 2 checks failed.') < page.indexOf('<h2'));
    assert.match(page, /<strong>Passed: Network<\/strong>/);
    assert.match(page, /<strong>Failed: Account<\/strong>/);
    assert.match(page, /<span aria-hidden="true">✗<\/span>/);
  });

  it('has a button for the next step, because links in a Markdown preview run no commands', () => {
    assert.match(
      page,
      /<button type="button" class="secondary" data-command="svc-x402\.fundWallet">Fund<\/button>/,
    );
    assert.doesNotMatch(page, /command:/);
  });

  it('keeps raw data behind a summary that names it, and everything is text', () => {
    const [, raw = ''] = /<details>(.*?)<\/details>/s.exec(page) ?? [];
    assert.match(raw, /<summary>Transaction: raw data<\/summary>/);
    assert.match(raw, /&lt;b&gt;/);
    const hostile = reportPage(PARTS, { ...REPORT, verdict: '<img src=x>' }, '"><script>');
    assert.doesNotMatch(hostile, /<img|"><script>/);
  });

  it('is found by its key after a reload, and any other stored form is refused', () => {
    assert.match(page, /report-1/);
    assert.deepEqual(readReport(JSON.parse(JSON.stringify(REPORT))), REPORT);
    assert.equal(readReport('# Setup'), undefined);
    assert.equal(readReport({ ...REPORT, sections: [{ title: 1 }] }), undefined);
  });

  it('that cannot be loaded says why, and offers to try again', () => {
    const message = { title: 'Settlement', message: 'No answer', failed: true };
    assert.match(messagePage(PARTS, message, 'k'), /No answer[\s\S]*Try Again/);
    assert.doesNotMatch(messagePage(PARTS, { ...message, failed: false }, 'k'), /Try Again/);
  });
});
