import type { FileRows, TestName } from '../row.ts';

const truth = (title: string): TestName => ['test/facilitator/truth.test.ts', title];
const repeating = (title: string): TestName => ['test/sim/repeating.test.ts', title];

const authorization = (title: string): TestName => ['test/sim/authorizations.test.ts', title];

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
      {
        at: 'VOID_IN_WORDS.settled_at_zero',
        says: 'it was settled with an amount of zero',
        state: 'void',
        evidence: 'settled_at_zero',
        from: 'the record of the contract that settles `upto`',
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
          'src/protocol/fate/readFate.test.ts',
          'the authorization is paid if the transaction that used it carries the same transfer',
        ],
      },
      {
        at: ['readFate.state', 'readNonceUse.state'],
        says: ['state: open', 'state: void', 'state: unknown'],
        state: ['open', 'void', 'unknown'],
        evidence: [
          'unused_at_expiration',
          'searched',
          'nonce_used_otherwise',
          'unreadable',
          'history_too_short',
          'too_many_movements',
          'user_of_nonce_not_found',
          'token_may_be_silent',
          'shows_nothing',
          'network_reset',
        ],
        from: 'the nonce’s entry while it is valid, then every movement from its first possible ledger to its last',
        test: ['src/protocol/fate/readFate.test.ts', 'a history that starts later proves nothing'],
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
    file: 'src/server/facilitator/settle/concludeSettlement.ts',
    rows: [
      {
        at: 'fateBeside.fate.state',
        state: 'unknown',
        evidence: 'unreadable',
        from: 'the transaction of a settlement does not have an authorization that can be read',
        test: repeating('gets the outcome that the first caller did not get'),
      },
      {
        at: 'lostWithNetwork.known.moneyMoved',
        state: 'unknown',
        evidence: 'unreadable',
        from: 'the network on which the transaction was submitted no longer exists, so no source shows its outcome',
        test: [
          'test/sim/reset.test.ts',
          'a payment that was submitted to the old one ends undecided, in the words that everything uses',
        ],
      },
      {
        at: ['replayRefusal.detail', 'replayRefusal.known.moneyMoved'],
        state: 'unknown',
        evidence: 'unreadable',
        from: 'a transaction of this service is on its way; the journal has no outcome yet',
        test: repeating('gets the outcome that the first caller did not get'),
      },
    ],
  },
  {
    file: 'src/server/facilitator/settle/provePayer.ts',
    rows: [
      {
        at: 'refuseIfLimited.known.moneyMoved',
        state: 'unknown',
        evidence: 'not_asked',
        from: 'nothing is read for this refusal, so an earlier request may have settled the payment',
        test: [
          'test/sim/reset.test.ts',
          'a used-up limit of calls, and payments are refused at once with it',
        ],
      },
    ],
  },
  {
    file: 'src/server/http/waitingApp.ts',
    rows: [
      {
        at: 'waitingApp.body.known.moneyMoved',
        state: 'unknown',
        evidence: 'not_asked',
        from: 'the service cannot read its journal or the ledger yet, and an earlier run may have settled the payment',
        test: [
          'test/facilitator/boot.test.ts',
          'while the ledger does not answer, it says so, and it serves once it does',
        ],
      },
    ],
  },
  {
    file: 'src/server/facilitator/truth/knownFate.ts',
    rows: [
      {
        at: ['knownFrom.inWords', 'knownFrom.moneyMoved'],
        says: ['fateInWords(…)', 'moneyMovedBy(…)', 'moneyMoved: fees'],
        state: 'each',
        from: 'the fate of the authorization; `fees` beside a void one whose transaction failed at the sponsor’s cost',
        test: authorization(
          'is open after its transaction failed on the ledger, and “fees” once it has expired unused',
        ),
      },
      {
        at: 'knownOfShort.moneyMoved',
        says: ['moneyMoved: yes', 'moneyMoved: unknown'],
        state: ['paid', 'unknown'],
        evidence: ['nonce', 'token_may_be_silent', 'shows_nothing'],
        from: 'the events of the included transaction, which show less than the payment',
        test: [
          'test/sim/arrived.test.ts',
          'is refused if less arrived: moneyMoved is “yes”, with the hash and what arrived',
        ],
      },
      {
        at: 'fateInRecord.state',
        says: 'state: paid',
        state: 'paid',
        evidence: 'journal',
        from: 'the record of a settlement, or of the transaction of another sender that was found',
        test: authorization(
          'is paid, for /settle and /verify, with the hash of the other transaction',
        ),
      },
    ],
  },
  {
    file: 'src/server/facilitator/truth/fateSource.ts',
    rows: [
      {
        at: ['UNREADABLE.state', 'NOT_FOUND.state'],
        state: 'unknown',
        evidence: 'unreadable',
        from: 'the ledger did not answer in time, or does not show what was asked for',
        test: authorization('is unknown while the ledger cannot be read'),
      },
      {
        at: 'FateSource.#readUse.state',
        state: 'open',
        from: 'two reads of a ledger that is not older than the payment show no record of its nonce, which the ledger would keep',
        test: [
          'test/sim/presentedAgain.test.ts',
          'is no longer “paid”: the ledger has no record of its nonce, and its authorization is still valid',
        ],
      },
      {
        at: 'FateSource.readTransaction.state',
        says: ['state: paid', 'state: unknown'],
        state: ['paid', 'unknown'],
        evidence: ['nonce', 'shows_nothing'],
        from: 'a successful transaction of the ledger that carries a transfer, and whether its events show anything of it',
        test: authorization(
          'knows nothing of a hash or a nonce that no ledger shows, and does not say “no”',
        ),
      },
      {
        at: 'FateSource.#read.state',
        state: 'void',
        evidence: 'never_valid',
        from: 'unused, and its signature is not valid, which nobody else can change',
        test: authorization('is “no” without a valid signature, and its history is not searched'),
      },
      {
        at: 'FateSource.#askContract.state',
        says: ['state: paid', 'state: open', 'state: void', 'state: unknown'],
        state: ['paid', 'open', 'void', 'unknown'],
        evidence: ['contract_record', 'settled_at_zero', 'searched', 'history_too_short'],
        from: 'the settlement contract’s record, which outlives the terms by 17,280 ledgers',
        test: [
          'test/upto/settlement.test.ts',
          'another facilitator queries the contract, and reports the settled amount',
        ],
      },
    ],
  },
  {
    file: 'src/server/facilitator/truth/inTruth.ts',
    rows: [
      {
        at: 'stillMade.moneyMoved',
        state: 'unknown',
        evidence: 'unreadable',
        from: 'the journal has a payment that the ledger contradicts',
        test: [
          'test/sim/presentedAgain.test.ts',
          'is no longer “paid”: the ledger has no record of its nonce, and its authorization is still valid',
        ],
      },
      {
        at: ['inTruth.inWords', 'inTruth.known.moneyMoved', 'learnFate.known.state'],
        state: 'unknown',
        evidence: 'unreadable',
        from: 'a transaction of this service is on its way; the journal has no outcome yet',
        test: authorization(
          'while the payment was on its way: the new transaction meets the old one, which paid',
        ),
      },
    ],
  },
  {
    file: 'src/server/facilitator/findSettlement.ts',
    rows: [
      {
        at: 'STATES.never_sent',
        about: 'the settlement of this service; `moneyMoved` beside it is about the authorization',
      },
      {
        at: 'fateOf.moneyMoved',
        says: 'moneyMoved: unknown',
        state: 'unknown',
        evidence: 'unreadable',
        from: 'a transaction of this service is on its way, or the record does not have its authorization',
        test: truth('returns state, hash, ledger and amounts by the hash and by payer and nonce'),
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
    file: 'src/server/http/catalogPage/pageScript.ts',
    rows: [
      {
        at: 'PAGE_ENTRY',
        says: [
          'Fewer than three accounts have paid for it.',
          'and you send it again with the payment',
        ],
        about: 'the history of a listing, and how to pay for it',
      },
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
    file: 'src/server/http/passkeyPage/page.ts',
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
    file: 'network/src/trace/story.ts',
    rows: [
      {
        at: 'outcomeSentence',
        about:
          'one transaction of the embedded network, whose result and changes are in the same trace',
      },
    ],
  },
];
