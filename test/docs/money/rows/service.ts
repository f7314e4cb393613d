import type { FileRows, TestName } from '../row.ts';

const truth = (title: string): TestName => ['test/facilitator/truth.test.ts', title];
const repeating = (title: string): TestName => ['test/sim/repeating.test.ts', title];

const JOURNAL = 'the journal’s record of the first presentation';

/** What the facilitator answers, and the fate that it answers from. */
export const SERVICE: readonly FileRows[] = [
  {
    file: 'src/protocol/fate/fate.ts',
    rows: [
      {
        at: ['moneyMovedBy', 'fateInWords'],
        says: [
          'returns yes, not_yet, no, unknown',
          'the payment is made; its transaction is no longer available',
          'the payment is made: transaction',
          'nothing was paid so far; the authorization can still pay until ledger',
          'nothing was paid, and this authorization can no longer pay',
          'whether the payment was made is not known',
        ],
        state: 'each',
        from: 'the fate itself: the one place where a state becomes a statement',
        test: [
          'src/protocol/fate/fate.test.ts',
          'only a void authorization has moved nothing and never can',
        ],
      },
    ],
  },
  {
    file: 'src/protocol/fate/readFate.ts',
    rows: [
      {
        at: 'paid.state',
        state: 'paid',
        evidence: ['nonce', 'movement'],
        from: 'a successful transaction of the ledger carries the same transfer with this nonce',
        test: [
          'src/protocol/fate/fate.test.ts',
          'only a void authorization has moved nothing and never can',
        ],
      },
      {
        at: 'fateAfterOtherUse.state',
        says: ['state: void', 'state: open'],
        state: ['void', 'open'],
        evidence: 'nonce_used_otherwise',
        from: 'another call used the nonce; the ledger forgets that at the expiration of that call',
        test: [
          'src/protocol/fate/fate.test.ts',
          'only a void authorization has moved nothing and never can',
        ],
      },
      {
        at: 'readFate.state',
        says: ['state: open', 'state: void', 'state: unknown'],
        state: ['open', 'void', 'unknown'],
        evidence: [
          'unused_at_expiration',
          'searched',
          'unreadable',
          'history_too_short',
          'too_many_movements',
          'user_of_nonce_not_found',
          'token_may_be_silent',
        ],
        from: 'the nonce’s entry while it is valid, then every movement from its first possible ledger to its last',
        test: [
          'src/protocol/fate/fate.test.ts',
          'only a void authorization has moved nothing and never can',
        ],
      },
    ],
  },
  {
    file: 'src/protocol/wire/settlementStatus.ts',
    rows: [
      {
        at: 'settlementStatusSchema.moneyMoved',
        state: 'each',
        from: 'the values that `GET /settlements` can return',
        test: truth('returns state, hash, ledger and amounts by the hash and by payer and nonce'),
      },
    ],
  },
  {
    file: 'src/protocol/payable.ts',
    rows: [
      { at: 'whyNotPayable', says: 'nobody could pay it', about: 'an address that cannot be paid' },
    ],
  },
  {
    file: 'src/server/facilitator/settle/knownOutcome.ts',
    rows: [
      {
        at: 'fateOf.moneyMoved',
        says: ['moneyMoved: yes', 'moneyMoved: fees', 'moneyMoved: no', 'moneyMoved: unknown'],
        state: ['paid', 'void', 'unknown'],
        evidence: ['journal', 'nonce_used_otherwise', 'unreadable'],
        from: JOURNAL,
        test: repeating(
          'is refused once the outcome was delivered, and says that the payment is made',
        ),
        finding: 'M2, M3',
      },
      {
        at: 'inWords',
        says: [
          'the payment is made',
          'failed on the ledger: nothing was paid',
          'it was never submitted',
          'nothing was paid so far',
          'it is being settled',
        ],
        state: 'each',
        from: JOURNAL,
        test: repeating('is refused after a failure, and says that nothing was paid'),
        finding: 'M2, M3',
      },
    ],
  },
  {
    file: 'src/server/facilitator/findSettlement.ts',
    rows: [
      {
        at: 'STATES.never_sent',
        state: 'open',
        from: 'the journal: no envelope was sent, so the authorization is open until its last ledger',
        test: truth('returns state, hash, ledger and amounts by the hash and by payer and nonce'),
        finding: 'M3',
      },
    ],
  },
  {
    file: 'src/server/facilitator/payment/refusal.ts',
    rows: [
      {
        at: 'refusalBeforeSending.known.moneyMoved',
        state: 'open',
        from: 'this request claimed the authorization and sent nothing; it can still pay',
        test: truth('a first request that the store fails: nothing moved, since nothing was sent'),
        finding: 'M3',
      },
    ],
  },
  {
    file: 'src/server/facilitator/schemes/upto/explainUptoFailure.ts',
    rows: [
      {
        at: 'describeSettled',
        state: 'paid',
        evidence: 'contract_record',
        from: 'the settlement contract’s record of the nonce, with the amount',
        test: [
          'test/upto/settlement.test.ts',
          'another facilitator queries the contract, and reports the settled amount',
        ],
      },
    ],
  },
  {
    file: 'src/server/http/createApp.ts',
    rows: [
      {
        at: 'refusalUnseen.known.moneyMoved',
        state: 'unknown',
        evidence: 'not_asked',
        from: 'the request is refused before the payment is looked up',
        test: truth('too many requests: the outcome of this one is unknown'),
      },
      {
        at: 'settle',
        says: 'not settled',
        about: 'a line of the log, with the code of the failure',
      },
    ],
  },
  {
    file: 'src/server/http/answers.ts',
    rows: [
      {
        at: 'settleAnswer.body.success',
        state: 'paid',
        evidence: 'journal',
        from: 'the decision that the ledger proved, recorded before it is answered',
        test: ['test/sim/settling.test.ts', 'settled: the hash under which the ledger has it'],
      },
    ],
  },
  {
    file: 'src/server/http/openApi/failureSchemas.ts',
    rows: [
      {
        at: 'superset.extra.moneyMoved',
        state: 'each',
        from: 'the values that a failure can have',
        test: ['test/facilitator/openApi.test.ts', 'to valid and invalid payments'],
      },
    ],
  },
  {
    file: 'src/server/http/catalogPage/pageEntry.ts',
    rows: [
      {
        at: 'PAGE_ENTRY',
        says: [
          'Fewer than three accounts have paid for it.',
          'and you send it again with the payment',
        ],
        about: 'the history of a listing, and how to pay for it',
      },
    ],
  },
  {
    file: 'src/server/http/catalogPage/pageScript.ts',
    rows: [
      {
        at: 'PAGE_SCRIPT',
        says: 'once a payment for it has settled',
        about: 'when a resource is listed',
      },
    ],
  },
  {
    file: 'src/server/http/discovery/openApi/listedOpenApi.ts',
    rows: [
      {
        at: 'GUIDANCE',
        says: 'only repeats what was paid before',
        about: 'the history of a listing',
      },
    ],
  },
  {
    file: 'src/server/http/discovery/openApi/operation.ts',
    rows: [{ says: 'What was paid for', about: 'a response that a listing describes' }],
  },
  {
    file: 'src/server/http/passkeyPage/pageScript.ts',
    rows: [
      {
        at: 'PAGE_SCRIPT',
        says: [
          'Nothing was signed:',
          'Nothing is signed before you say so.',
          'Cancelled. Nothing was signed',
        ],
        state: 'none',
        from: 'the passkey’s signature does not exist yet; the page signs changes of an account, and no payments',
        test: [
          'test/policies/passkeyPage.test.ts',
          'a passkey that does not own the account, and a signature over something else, change nothing',
        ],
      },
    ],
  },
  {
    file: 'src/server/policies/passkeys/passkeyError.ts',
    rows: [
      {
        at: 'PASSKEY_ERRORS.call_refused.fix',
        state: 'none',
        from: 'the call is simulated before the passkey is asked; it does not pay',
        test: [
          'test/policies/passkeyPage.test.ts',
          'a passkey that does not own the account, and a signature over something else, change nothing',
        ],
      },
    ],
  },
  {
    file: 'src/server/policies/passkeys/taskWords.ts',
    rows: [
      { says: 'It is not submitted', about: 'a proof of control, which is signed and not sent' },
    ],
  },
  {
    file: 'src/ledger/trace/story.ts',
    rows: [
      {
        at: 'outcomeSentence',
        about:
          'one transaction of the embedded network, whose result and changes are in the same trace',
      },
    ],
  },
];
