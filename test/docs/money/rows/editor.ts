import type { FileRows, TestName } from '../row.ts';

const payment = (title: string): TestName => ['test/editor/logic/testPayment.test.ts', title];
const page = payment('six steps in order, the payment');
const verdict: TestName = [
  'src/extension/chain/describeSettlement.test.ts',
  'a failed transaction says nothing about the authorization, which another one may have carried',
];
const answered = payment(
  'E4: a POST sends its body and headers each time, and an error after the payment is quoted',
);

/** The editor: reports, views and the test payment. Translations have the same keys. */
export const EDITOR: readonly FileRows[] = [
  {
    file: 'src/extension/chain/describeSettlement.ts',
    rows: [
      {
        at: 'verdictOf.ledger',
        about: 'one transaction, by its result on the ledger',
      },
      {
        at: ['verdictOf.moved', 'recordSection.items.value'],
        state: 'each',
        from: '`moneyMoved` of the facilitator’s record; a value that this version does not know is shown as unknown',
        test: verdict,
      },
    ],
  },
  {
    file: 'src/extension/request/testFailure.ts',
    rows: [
      {
        at: [
          'TEST_FAILURES.not_paid.sentence',
          'TEST_FAILURES.redirected.sentence',
          'TEST_FAILURES.own_address.sentence',
          'TEST_FAILURES.cannot_pay.sentence',
          'TEST_FAILURES.cancelled.sentence',
        ],
        state: ['none', 'void'],
        evidence: 'never_valid',
        from: 'the failure came before a signature was sent; afterwards the outcome counts, not the cancellation',
        test: payment('cancelled after the payment was sent: never "nothing was paid"'),
      },
      {
        at: 'TEST_FAILURES.not_settled.sentence',
        state: 'void',
        evidence: ['unused_at_expiration', 'searched'],
        from: 'the fate in the SDK’s error, which was read from the ledger',
        test: answered,
      },
      {
        at: 'TEST_FAILURES.settled_without_resource.sentence',
        state: 'paid',
        evidence: ['nonce', 'movement'],
        from: 'the SDK’s error or the recipient’s settlements on the ledger',
        test: answered,
      },
      {
        at: [
          'TEST_FAILURES.endpoint_failed_paid.sentence',
          'TEST_FAILURES.outcome_unknown.sentence',
        ],
        state: ['open', 'unknown'],
        evidence: ['unreadable', 'history_too_short'],
        from: 'the SDK’s error: the ledger does not show the payment yet',
        test: answered,
      },
    ],
  },
  {
    file: 'src/extension/testPayment/testPayment.ts',
    rows: [
      {
        at: ['explainSentPayment.detail', 'explainPaymentError'],
        says: ['it can still settle until ledger', 'not_settled'],
        state: ['open', 'void'],
        evidence: ['unused_at_expiration', 'searched'],
        from: 'the fate in the SDK’s error, which was read from the ledger',
        test: answered,
      },
    ],
  },
  {
    file: 'src/extension/editor/requestPanel/payOnce.ts',
    rows: [
      {
        at: 'payOnce',
        says: 'test payment settled',
        state: 'paid',
        evidence: 'nonce',
        from: 'the network of the test shows the transaction as successful',
        test: page,
      },
    ],
  },
  {
    file: 'src/extension/activity/activityOf.ts',
    rows: [{ at: 'KINDS.not settled', about: 'a line of the log, with the code of the failure' }],
  },
  {
    file: 'src/extension/editor/activityDocuments.ts',
    rows: [{ at: 'pickEndpoint', about: 'whether the log has lines of any payment' }],
  },
  {
    file: 'src/extension/editor/explainListingCommand.ts',
    rows: [
      {
        at: 'explainListingCommand.url.prompt',
        state: 'none',
        from: 'the catalog requests the terms without a payment',
        test: [
          'test/editor/logic/explainListing.test.ts',
          'names the rules that an endpoint fails, and what to do',
        ],
      },
    ],
  },
  {
    file: 'src/extension/editor/firstNotices.ts',
    rows: [
      {
        at: 'noticeFirstPayment.choice',
        state: 'paid',
        evidence: 'movement',
        from: 'a settlement of the payment address, read from the network',
        test: ['test/editor/newcomer.ui.mjs', 'Your first payment has settled'],
      },
    ],
  },
  {
    file: 'src/extension/endpoints/badge.ts',
    rows: [
      {
        at: 'nextBadge',
        says: [
          'No payment has settled since',
          'Payments have settled, but',
          'A payment has settled, but',
        ],
        about: 'what the catalog has counted for a listing',
      },
    ],
  },
  {
    file: 'src/extension/policies/policyWords.ts',
    rows: [{ at: 'reservedWords', about: 'the policy’s own counters, read from the ledger' }],
  },
  {
    file: 'package.nls.json',
    rows: [
      { at: 'welcome.settlements.empty', about: 'an empty list of settlements' },
      { at: 'setting.agentKeyFile', about: 'what a setting permits' },
    ],
  },
];
