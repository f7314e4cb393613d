import type { FileRows, TestName } from '../row.ts';

const moved = (title: string): TestName => ['test/sdk/moneyMoved.test.ts', title];
const each = (title: string): TestName => ['test/sdk/everyError.test.ts', title];
const pays = (title: string): TestName => ['test/cli/pay.test.ts', title];
const agent = (title: string): TestName => ['test/mcp/payingServer.test.ts', title];

const UNDECIDED =
  'an undecided payment is never paid again blindly, and once it has settled the same call says so first';
const SETTLED_AFTER_ALL =
  'a 402 that reports a failure although it settled is reported as paid, with the hash';
const KEPT = 'a seller that keeps the payment is reported as';
const late = (title: string): TestName => ['test/mcp/lateAnswers.test.ts', title];
const FROM_LEDGER = 'the SDK reads the authorization from the ledger';

/** SDK, `svc-x402 pay`, and the tools with which agents pay. */
export const BUYERS: readonly FileRows[] = [
  {
    file: 'src/sdk/exact/x402Error.ts',
    rows: [
      {
        at: 'X402Error.constructor',
        state: 'void',
        evidence: 'never_valid',
        from: 'the default of errors that are raised before a signature leaves the program; the others set it',
        test: each('MaxAmountExceededError: the price is above maxAmount; nothing is signed'),
      },
    ],
  },
  {
    file: 'src/sdk/exact/errors.ts',
    rows: [
      {
        at: ['PaymentRejectedError.constructor', 'PaymentOutcomeUnknownError.constructor'],
        state: 'unknown',
        evidence: 'unreadable',
        from: 'without evidence from the ledger nothing is known; with evidence, its value is taken',
        test: moved('an unreachable RPC server leaves it unknown'),
      },
      {
        at: ['moneyInWords.words', 'adviceFor'],
        says: [
          'fateInWords(…)',
          'Do not pay again.',
          'It is safe to pay again.',
          'Look it up before you pay again.',
          'Fund the accounts on the new network before you pay again.',
        ],
        state: 'each',
        from: 'the fate that the SDK read from the ledger',
        test: moved(KEPT),
      },
      {
        at: 'SettledWithoutResourceError.constructor',
        says: 'Do not pay again.',
        state: ['paid', 'open', 'unknown'],
        evidence: ['nonce', 'movement', 'unreadable'],
        from: 'the ledger shows the payment, or only the seller claims it, which the sentence then says',
        test: moved('a seller that claims success without settling is not believed'),
      },
      {
        at: 'NotSignedError.constructor',
        state: 'void',
        evidence: 'never_valid',
        from: 'the signer failed, so no signature exists',
        test: each('NotSignedError'),
      },
    ],
  },
  {
    file: 'src/sdk/exact/payForResource.ts',
    rows: [
      {
        at: 'judge.moneyMoved',
        says: 'moneyMoved: yes',
        state: 'paid',
        evidence: ['nonce', 'movement'],
        from: FROM_LEDGER,
        test: moved('a seller that settles and answers with '),
      },
      {
        at: 'outcomeNow.state',
        state: 'unknown',
        evidence: 'unreadable',
        from: 'the RPC server did not answer, so nothing is known',
        test: moved('an unreachable RPC server leaves it unknown'),
      },
    ],
  },
  {
    file: 'src/sdk/exact/paymentOutcome.ts',
    rows: [
      {
        at: 'outcomeOf.moneyMoved',
        state: 'each',
        from: 'the fate that was read from the ledger',
        test: moved(KEPT),
      },
    ],
  },
  {
    file: 'src/sdk/policies/errors.ts',
    rows: [
      {
        at: 'PolicyMismatchError.constructor',
        state: 'none',
        from: 'the policy is compared before the owner is asked to sign; it does not pay',
        test: each(
          'PolicyMismatchError: the contract is not the requested policy; nothing is signed',
        ),
      },
    ],
  },
  {
    file: 'src/cli/pay/payFor.ts',
    rows: [
      {
        at: 'MONEY.no',
        state: 'void',
        evidence: ['never_valid', 'unused_at_expiration', 'searched'],
        from: 'the SDK’s error: nothing was sent, or the ledger shows that it can never pay',
        test: pays('a price above the limit is refused, and nothing moves'),
      },
      {
        at: 'MONEY.yes',
        state: 'paid',
        evidence: ['nonce', 'movement'],
        from: 'the SDK’s error, which has read the ledger',
        test: each(
          'SettledWithoutResourceError: it settled, according to the seller, but the resource failed',
        ),
      },
      {
        at: 'MONEY.fees',
        state: 'void',
        evidence: ['unused_at_expiration', 'searched'],
        from: 'the SDK’s error; beside a void authorization a transaction failed',
        test: pays('a price above the limit is refused, and nothing moves'),
      },
      {
        at: 'MONEY.not_yet',
        state: 'open',
        from: 'the SDK’s error: the ledger shows nothing so far, and it can still pay',
        test: moved(KEPT),
      },
      {
        at: 'MONEY.unknown',
        state: ['open', 'unknown'],
        evidence: ['unreadable', 'history_too_short'],
        from: 'the SDK’s error or the look-up after the response: the ledger does not show the payment yet',
        test: each('PaymentOutcomeUnknownError: the paid request got no answer'),
      },
      {
        at: 'account',
        says: ['did not ask for a payment, so nothing was paid', '… paid … USDC to …'],
        state: ['none', 'paid'],
        evidence: ['nonce', 'movement'],
        from: 'no signature was made; or the ledger shows the payment, whatever the seller claims',
        test: pays('a free response is printed, and a seller’s error is exit status 1'),
      },
    ],
  },
  {
    file: 'src/cli/demo/demoAccount.ts',
    rows: [{ at: 'describePayment', about: 'who pays the network fee of the demo payment' }],
  },
  {
    file: 'src/cli/check/showChecked.ts',
    rows: [
      {
        at: ['WORDS.free', 'showChecked', 'freeAndFailed'],
        says: [
          'answered without asking for a payment',
          'free, as your code says',
          'charged by mistake',
          '… free',
          '… free, … failed',
        ],
        state: 'none',
        from: 'the status of an unpaid request to each spelling; `check` signs nothing',
        test: [
          'test/cli/check.test.ts',
          'fails on a missing gate, and on a free route that asks for payment',
        ],
      },
    ],
  },
  {
    file: 'src/codegen/change/notes.ts',
    rows: [{ at: 'notesFor', says: 'the URL that was paid for', about: 'what the catalog lists' }],
  },
  {
    file: 'src/codegen/change/paymentTerms.ts',
    rows: [
      { at: 'parsePayTo', says: 'no buyer could pay', about: 'an address that cannot be paid' },
    ],
  },
  {
    file: 'src/cli/pay/bodyOutput.ts',
    rows: [
      {
        at: 'fileOutput',
        state: 'none',
        from: 'the file is opened before anything is requested',
        test: pays('a price above the limit is refused, and nothing moves'),
      },
    ],
  },
  {
    file: 'src/sdk/seller/recognizeSales.ts',
    rows: [
      {
        at: 'GONE',
        state: 'paid',
        evidence: 'journal',
        from: 'the seller’s own record of a sale, which it keeps after the facilitator reported its settlement',
        test: [
          'src/sdk/seller/recognizeSales.test.ts',
          'serves once even if the response is too long to keep, and says that it is gone',
        ],
      },
      {
        at: ['CONFLICT', 'BUSY'],
        state: 'open',
        from: 'the seller answers before it asks the facilitator, so this request settled nothing',
        test: [
          'src/sdk/seller/recognizeSales.test.ts',
          'under the identifier with 409, without serving it',
        ],
      },
    ],
  },
  {
    file: 'src/cli/purse/outcomes.ts',
    rows: [
      {
        at: 'NOTHING_PAID',
        state: ['none', 'void'],
        evidence: 'never_valid',
        from: 'no payment of this call left the purse',
        test: agent('a price above maxAmount, and an invalid request, pay nothing'),
      },
      {
        at: 'lookUp.outcome',
        says: 'outcome: unknown',
        state: 'unknown',
        evidence: 'unreadable',
        from: 'the RPC server did not answer',
        test: agent(UNDECIDED),
      },
      {
        at: 'outcomeBy',
        state: 'each',
        from: FROM_LEDGER,
        test: agent(SETTLED_AFTER_ALL),
      },
      {
        at: 'undecidedInWords',
        says: [
          'Nothing was paid so far',
          'Whether it was paid is not known now',
          'It counts as spent until',
        ],
        state: ['open', 'unknown'],
        evidence: 'unreadable',
        from: 'the receipt, looked up on the ledger, and the last ledger of its authorization',
        test: agent(UNDECIDED),
      },
    ],
  },
  {
    file: 'src/cli/purse/earlierCalls.ts',
    rows: [
      {
        at: 'alreadyInWords',
        says: [
          'Nothing was paid now.',
          'outcome: not_paid',
          'not_paid',
          'Already paid',
          'outcome: settled',
        ],
        state: ['paid', 'void'],
        evidence: ['nonce', 'movement', 'unused_at_expiration', 'searched'],
        from: 'the receipt of the earlier payment, looked up on the ledger; this call paid nothing',
        test: late('gets an answer that came after it had stopped waiting, for nothing'),
      },
    ],
  },
  {
    file: 'src/cli/purse/keptAnswers.ts',
    rows: [
      {
        at: 'KeptAnswers.keep',
        about: 'an answer that cannot be stored; its payment is in the receipts',
      },
    ],
  },
  {
    file: 'src/cli/purse/agentReceipts.ts',
    rows: [
      {
        at: 'AgentReceipts.claim.outcome',
        state: 'void',
        evidence: 'never_valid',
        from: 'another process of the agent claimed the call first, so this signature was never sent',
        test: late('two calls with the same arguments at once pay once, and both get the content'),
      },
    ],
  },
  {
    file: 'src/cli/purse/accountPurse.ts',
    rows: [
      {
        at: 'AccountPurse.call.outcome',
        state: ['none', 'void'],
        evidence: 'never_valid',
        from: 'the purse refused before it signed',
        test: agent('if the network does not answer, it starts, reports that, and pays nothing'),
      },
      {
        at: 'AccountPurse.#stillSettling',
        says: [
          'outcome: settled',
          'and the seller has not answered yet',
          'outcome: not_paid',
          'is still being settled',
        ],
        state: ['paid', 'open', 'void', 'unknown'],
        evidence: ['nonce', 'movement', 'unused_at_expiration', 'searched', 'unreadable'],
        from: 'the receipt, looked up on the ledger before the answer',
        test: late('is answered before its client stops waiting, and calls again for the content'),
      },
      {
        at: ['AccountPurse.#earlier', 'AccountPurse.#keptResult.result.outcome'],
        says: ['outcome: not_yet, unknown', 'outcome: unknown'],
        state: ['open', 'unknown'],
        evidence: 'unreadable',
        from: 'the receipt of the earlier payment, looked up again on the ledger; this call paid nothing',
        test: agent(UNDECIDED),
      },
      {
        at: 'AccountPurse.#earlier',
        says: ['has settled, and its answer is not known here', 'outcome: settled', 'paid now'],
        state: 'paid',
        evidence: ['nonce', 'movement'],
        from: 'the receipt of the earlier payment, looked up again on the ledger; this call paid nothing',
        test: agent(UNDECIDED),
      },
      {
        at: 'AccountPurse.#reserve',
        says: 'are spent or undecided',
        state: ['paid', 'open', 'unknown'],
        evidence: ['nonce', 'movement', 'unreadable'],
        from: 'receipts of the last 24 hours; those without a proof that they can never pay count',
        test: agent('pays with --allow-unlimited, up to a ceiling that a restart does not forget'),
      },
    ],
  },
  {
    file: 'src/cli/purse/paidCall.ts',
    rows: [
      {
        at: 'Call.#free.message',
        says: 'so nothing was paid',
        state: 'none',
        from: 'the seller answered without terms, so nothing was signed',
        test: agent('a redirect is reported and not followed'),
      },
      {
        at: 'deliveredInWords',
        says: ['outcome: settled', 'Paid …', 'can never settle', 'outcome: not_paid'],
        state: ['paid', 'void'],
        evidence: ['nonce', 'movement', 'unused_at_expiration', 'searched'],
        from: 'the ledger, read for some seconds after the response, whatever hash the seller claims',
        test: agent('a 200 without a settlement is not paid yet, whatever hash it claims'),
      },
      {
        at: 'Call.#failed',
        says: [
          'was paid, but the seller did not deliver',
          'outcome: settled',
          'can never settle, so no money moved',
          'outcome: not_paid',
        ],
        state: ['paid', 'void'],
        evidence: ['nonce', 'movement', 'unused_at_expiration', 'searched'],
        from: 'the ledger, read for some seconds after the failure',
        test: agent(
          'a connection that is cut after the settlement is reported as paid, with the hash',
        ),
      },
      {
        at: 'Call.#unpaid.failed.outcome',
        state: ['none', 'void'],
        evidence: 'never_valid',
        from: 'the failure came before a signature was sent',
        test: agent('a price above maxAmount, and an invalid request, pay nothing'),
      },
    ],
  },
  {
    file: 'src/cli/purse/receiptBook.ts',
    rows: [
      { at: 'entrySchema.outcome', about: 'the values that a stored receipt can have' },
      {
        at: 'unavailable.words',
        state: 'none',
        from: 'a payment is recorded before it is signed; without a record there is none',
        test: agent('nothing is paid if no receipt can be stored'),
      },
    ],
  },
  {
    file: 'src/mcp/pay/budgetTool.ts',
    rows: [
      {
        at: 'describe',
        says: 'Nothing has been paid yet.',
        state: 'none',
        from: 'the purse has no receipt of this agent',
        test: agent('finds an API, calls it ten times, is refused by the ledger'),
      },
    ],
  },
  {
    file: 'src/mcp/pay/callTool.ts',
    rows: [
      {
        at: 'registerCall.description',
        says: 'that pays nothing more',
        state: 'each',
        from: 'the receipt of the earlier payment: a call is paid once while that can settle',
        test: late('gets an answer that came after it had stopped waiting, for nothing'),
      },
    ],
  },
  {
    file: 'src/mcp/pay/payingTools.ts',
    rows: [
      {
        at: 'PAYING_INSTRUCTIONS',
        says: ['is still being settled', 'that pays nothing while the first payment can settle'],
        state: 'each',
        from: 'the receipt of the earlier payment: a call is paid once while that can settle',
        test: late('gets an answer that came after it had stopped waiting, for nothing'),
      },
    ],
  },
  {
    file: 'src/mcp/pay/receiptSchema.ts',
    rows: [
      {
        at: ['receiptSchema.outcome', 'receiptSchema.expirationLedger'],
        says: [
          'outcome: settled',
          'not_yet and unknown count as spent',
          'Last ledger in which it can settle',
        ],
        state: 'each',
        from: 'the values of a receipt’s outcome on the ledger',
        test: agent('has five tools whose annotations and schemas describe them'),
      },
      {
        at: ['OUTCOMES.settled', 'OUTCOMES.not_settled', 'OUTCOMES.not_yet'],
        state: ['paid', 'open', 'void'],
        evidence: ['nonce', 'movement', 'unused_at_expiration', 'searched'],
        from: 'the receipt, which is looked up again while it is undecided',
        test: agent('finds an API, calls it ten times, is refused by the ledger'),
      },
    ],
  },
];
