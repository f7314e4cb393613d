import type { FileRows, TestName } from '../row.ts';

const truth = (title: string): TestName => ['test/facilitator/truth.test.ts', title];
const moved = (title: string): TestName => ['test/sdk/moneyMoved.test.ts', title];
const agent = (title: string): TestName => ['test/mcp/payingServer.test.ts', title];
const each = (title: string): TestName => ['test/sdk/everyError.test.ts', title];
const settling = (title: string): TestName => ['test/sim/settling.test.ts', title];

const REPLAYED =
  'after delivery the identical request is refused as a replay, with hash and moneyMoved yes';
const SAME_ANSWER = 'same identifier and payload: always the same answer, at /verify too';
const KEPT = 'a seller that keeps the payment is reported as not paid yet until it expires';
const UNDECIDED =
  'an undecided payment is never paid again blindly, and once it has settled the same call says so first';
const ONE_TABLE: TestName = [
  'test/docs/errorCodes.test.ts',
  'each page says what happened, whether money moved, and what to do',
];

/** Pages. */
export const PAGES: readonly FileRows[] = [
  {
    file: 'llms.txt',
    rows: [
      {
        says: ['says whether money moved', 'how a client retries without paying twice'],
        about: 'what the pages contain',
      },
    ],
  },
  {
    file: 'docs/README.md',
    rows: [
      {
        says: ['whether money moved', 'write a client that never pays twice'],
        about: 'what the pages contain',
      },
    ],
  },
  {
    file: 'docs/troubleshooting.md',
    rows: [
      {
        says: 'links to a page with what happened',
        about: 'what the pages contain',
      },
      { says: 'its budget is spent or has expired', about: 'a budget on the ledger' },
      {
        says: '[look up whether it paid](second-signature.md#how-to-retry), then sign again',
        state: 'void',
        evidence: 'searched',
        from: 'the facilitator has looked the expired authorization up, and its answer says so',
        test: truth('while a ledger could still include it: no answer says that no money moved'),
      },
      {
        says: 'a new payment might pay twice',
        state: 'unknown',
        evidence: 'unreadable',
        from: '`settlement_pending`: the transaction was sent',
        test: settling(
          'pending: the hash alone, while the ledger has not decided; then the outcome',
        ),
      },
    ],
  },
  {
    file: 'docs/glossary.md',
    rows: [
      {
        says: [
          'unless a seller names another',
          'whose payment for it settled',
          'paid for at least once',
        ],
        about: 'terms of the catalog',
      },
      {
        says: 'money moved',
        state: 'each',
        from: 'the values of `moneyMoved`',
        test: ONE_TABLE,
      },
    ],
  },
  {
    file: 'docs/second-signature.md',
    rows: [
      {
        says: [
          'To retry, present the same payload again.',
          'Sign another one only after the ledger has proved',
          'the seller answers 402, "never submitted"',
          'you have paid twice |',
          'present the same payload again.',
          'Only in one of them, void, can you pay again',
        ],
        state: ['paid', 'open', 'void', 'unknown'],
        evidence: [
          'nonce',
          'movement',
          'unused_at_expiration',
          'searched',
          'unreadable',
          'history_too_short',
        ],
        from: 'the fate of an authorization, and how long the ledger remembers a nonce',
        test: [
          'test/sdk/secondSignature.test.ts',
          'a nonce is kept only until the expiration that it was used with',
        ],
      },
      { says: '# Paying again without paying twice', about: 'the title of the page' },
    ],
  },
  {
    file: 'docs/money.md',
    rows: [
      {
        says: [
          'Do not pay again |',
          'present the same payload again.',
          'it can never pay: it was never signed',
          '`no`; `fees` if the sponsor paid',
          'sign a new payment |',
          'look it up before you pay again',
          '`open` is not "no money moved".',
          'while the first is open can pay twice',
          '`transaction_failed` and `submission_failed` describe one transaction',
        ],
        state: ['paid', 'open', 'void', 'unknown'],
        evidence: [
          'journal',
          'nonce',
          'movement',
          'never_valid',
          'unused_at_expiration',
          'searched',
          'nonce_used_otherwise',
          'unreadable',
          'history_too_short',
        ],
        from: 'the fate of an authorization: the page describes its states',
        test: [
          'src/protocol/fate/fate.test.ts',
          'only a void authorization has moved nothing and never can',
        ],
      },
      {
        says: [
          'every failure of the service: `extra.moneyMoved`',
          '`moneyMoved` of one payment',
          '`moneyMoved` of each error',
          '`unknown` counts as spent until the ledger decides',
        ],
        about: 'where the values are found',
      },
    ],
  },
  {
    file: 'docs/facilitator.md',
    rows: [
      {
        says: 'says whether another transaction carried the payment',
        state: 'each',
        from: 'the authorization is looked up after its transaction failed',
        test: settling(
          'failed: the hash, what the ledger said, and until when the authorization can still pay',
        ),
      },
      { says: 'explains each value of `moneyMoved`', about: 'what another page contains' },
      {
        says: ['While `extra.moneyMoved` is `not_yet`, present the same payment again.'],
        state: 'open',
        from: 'this request submitted nothing and will not; the authorization stays valid until its last ledger',
        test: settling(
          'submission_failed: no server could be reached, and the payment may be presented again',
        ),
      },
      {
        says: [
          'it returns the outcome of the first and never submits a second time',
          'While it is owed, the identical `/settle` gets it as its own',
        ],
        state: 'each',
        from: 'the journal’s record of the first presentation',
        test: truth('the identical /settle returns the success, with the hash'),
      },
      {
        says: [
          '`extra.moneyMoved` reports its outcome',
          'After that the identical request is refused as a replay',
        ],
        state: ['paid', 'void', 'unknown'],
        evidence: ['journal', 'nonce', 'searched', 'unreadable'],
        from: 'the fate of the first presentation, from the journal or the ledger',
        test: truth(REPLAYED),
      },
      {
        says: [
          'The identical request then gets the same answer every time',
          'Another payment of this payer under the same identifier is refused',
        ],
        state: 'each',
        from: 'the journal’s record under the identifier',
        test: truth(SAME_ANSWER),
      },
      {
        says: 'If the facilitator could not look the payment up',
        state: 'unknown',
        evidence: 'not_asked',
        from: 'the request is refused before the payment is looked up',
        test: truth('too many requests: the outcome of this one is unknown'),
      },
      {
        says: 'identical requests that come before that answer is delivered get the same answer',
        state: 'open',
        from: 'the refusal is owed to its first caller; until then nothing else is submitted for this authorization',
        test: truth(
          'one returns that nothing was submitted: then the other does not settle it either',
        ),
      },
      {
        says: "return the settlement's record",
        state: 'each',
        from: 'the journal’s record of the settlement',
        test: truth('returns state, hash, ledger and amounts by the hash and by payer and nonce'),
      },
      {
        says: [
          'answers "nothing was submitted" only with proof',
          "If the server's history begins too late",
        ],
        state: ['paid', 'open', 'void', 'unknown'],
        evidence: ['nonce', 'movement', 'unused_at_expiration', 'searched', 'history_too_short'],
        from: 'the nonce’s entry, then movements of the asset, then Horizon',
        test: truth(
          'the transfer event is evidence: the payment is reported as settled, with its hash',
        ),
      },
      {
        says: 'otherwise as never submitted, and then it submits nothing afterwards',
        state: 'open',
        from: 'this request submitted nothing and will not; the authorization stays valid until its last ledger',
        test: settling(
          'ledger_too_slow: nothing was sent in time, and nothing is sent after the answer',
        ),
      },
      {
        says: 'looks again every ten minutes and on each identical request',
        about: 'when a look-up is repeated',
      },
      {
        says: [
          'If nothing was submitted, everything is given back.',
          'that the facilitator would not settle',
        ],
        about: 'fees of the sponsor',
      },
    ],
  },
  {
    file: 'docs/operating.md',
    rows: [
      {
        says: 'No payment is lost or paid twice, and none is accepted for about 10 s',
        state: 'each',
        from: 'the old instances refuse settlements, and the new one adopts their unfinished ones',
        test: [
          'test/store/rollingUpgrade.test.ts',
          'refuses work before the change is made, and moves no money that it does not report',
        ],
      },
      {
        says: [
          'nothing is paid twice, and answers come from the ledger',
          'Nothing is paid twice, because the ledger accepts each nonce once',
          'If its history no longer reaches back to the payment',
        ],
        state: 'each',
        from: 'the ledger, which is read for authorizations that the journal does not know',
        test: truth('without other evidence the answer does not say whether money moved'),
      },
      {
        says: 'nothing is submitted unless it was recorded first',
        state: ['open', 'unknown'],
        evidence: 'not_asked',
        from: 'an envelope is recorded before it is sent',
        test: truth(
          'a first request that the store fails: nothing moved so far, since nothing was sent',
        ),
      },
      {
        says: [
          'the authorization is free again once another instance has adopted the work',
          'the identical request gets the outcome',
          'the identical `/settle` gets the outcome, once',
          'and on the next identical request',
        ],
        state: 'each',
        from: 'the journal’s record, which another instance adopts',
        test: truth('a settlement that ended while unfinished ones were listed is not sent again'),
      },
    ],
  },
  {
    file: 'docs/security.md',
    rows: [
      {
        says: [
          'bound to the first recipient whose payment for it settled',
          'and pays again when the w',
          'no response, or one that does not mention the payment',
          'settling the second one first does not let the first one pay again',
          'A user who confirms without reading',
          'failed: it settled',
        ],
        about: 'listings, budgets and past findings',
      },
      {
        says: [
          'settles twice with one authorization',
          'so that the buyer pays again',
          'the SDK never pays for a request twice',
        ],
        state: ['open', 'unknown'],
        evidence: 'unreadable',
        from: 'the SDK reads the authorization from the ledger',
        test: moved(KEPT),
      },
      {
        says: [
          'the facilitator answers "no money moved" only with proof',
          'An identical request gets the outcome until the facilitator has delivered it once',
          '"the identical /settle returns the success, with the hash"',
        ],
        state: ['paid', 'void'],
        evidence: ['journal', 'nonce', 'movement', 'searched', 'unused_at_expiration'],
        from: 'the fate of the authorization, from the journal or the ledger',
        test: truth(REPLAYED),
      },
    ],
  },
  {
    file: 'docs/sdk.md',
    rows: [
      {
        says: ['`moneyMoved` says whether money moved', 'money moved'],
        about: 'the member of the errors, and the head of their table',
      },
      {
        says: 'A request that gets a 402 is paid once',
        state: ['paid', 'open'],
        evidence: 'nonce',
        from: 'one nonce a request, which the ledger accepts once while a signature with it is valid',
        test: [
          'test/sdk/neverTwice.test.ts',
          'never submitted: the same payment is presented once more, and nothing else is signed',
        ],
      },
      {
        says: 'it settled, according to the ledger or the seller',
        state: ['paid', 'unknown'],
        evidence: ['nonce', 'movement', 'unreadable'],
        from: 'the SDK reads the authorization from the ledger',
        test: each(
          'SettledWithoutResourceError: it settled, according to the seller, but the resource failed',
        ),
      },
      {
        says: [
          'Errors have the result as `fate`',
          'nothing so far; it can still settle until ledger',
          'proved: it can never settle.',
          'the SDK presents the same one once more and signs nothing else',
          'Look the payment up before you pay again',
        ],
        state: ['open', 'void', 'unknown'],
        evidence: ['unused_at_expiration', 'searched', 'unreadable', 'history_too_short'],
        from: 'the SDK reads the authorization from the ledger',
        test: moved(KEPT),
      },
    ],
  },
  {
    file: 'docs/sdk-reference.md',
    rows: [
      {
        says: 'Throw to stop: nothing is paid then',
        about: 'a callback before anything is signed',
      },
      {
        says: [
          'It never pays twice',
          'The payment settled, but the seller did not deliver the resource.',
          '`moneyMoved` is `yes` if the ledger shows the settlement',
        ],
        state: ['paid', 'unknown'],
        evidence: ['nonce', 'movement', 'unreadable'],
        from: 'the SDK reads the authorization from the ledger',
        test: each(
          'SettledWithoutResourceError: it settled, according to the seller, but the resource failed',
        ),
      },
      {
        says: 'only responses whose payment settled are kept',
        state: 'paid',
        evidence: 'journal',
        from: 'the response carries a PAYMENT-RESPONSE of a settlement',
        test: [
          'src/sdk/seller/recognizeSales.test.ts',
          'answers the same payment with the response that it sold, and serves once',
        ],
      },
      {
        says: ['Nothing was signed.', 'Nothing was sent.'],
        state: 'void',
        evidence: 'never_valid',
        from: 'the error is thrown before anything is signed',
        test: each('MaxAmountExceededError: the price is above maxAmount; nothing is signed'),
      },
      {
        says: [
          '`no` only if the ledger shows that the payment can never settle',
          '`moneyMoved` is `no` only if the ledger shows',
          'Last ledger in which it can settle',
          'the ledger does not show yet whether it settled',
          'If only the seller claims it, `moneyMoved` is `not_yet`',
          'from which `moneyMoved` is derived',
          'It counts as spent until then.',
        ],
        state: ['open', 'void', 'unknown'],
        evidence: ['unused_at_expiration', 'searched', 'unreadable'],
        from: 'the SDK reads the authorization from the ledger',
        test: moved(KEPT),
      },
      {
        says: [
          "Reads a payment's outcome from the ledger",
          '| `moneyMoved:',
          "What might have happened to the payer's money",
          'It cannot have settled earlier',
          'Trust it only after the facilitator has settled the payment.',
          'a request that was paid',
          'if there is nothing to pay',
          'it is never charged',
        ],
        about: 'members and types, which the sentences beside them describe',
      },
    ],
  },
  {
    file: 'src/sdk/README.md',
    rows: [
      {
        says: 'A request that is answered with 402 is paid once.',
        state: ['paid', 'open'],
        evidence: 'nonce',
        from: 'one nonce a request, which the ledger accepts once while a signature with it is valid',
        test: [
          'test/sdk/neverTwice.test.ts',
          'never submitted: the same payment is presented once more, and nothing else is signed',
        ],
      },
      { says: '`moneyMoved` says whether money moved', about: 'the member of the errors' },
    ],
  },
  {
    file: 'docs/agents.md',
    rows: [
      { says: 'has a `fetch` that pays once', about: 'what the SDK offers' },
      {
        says: [
          '`outcome` comes from the ledger, not from the seller',
          'While it is `not_yet` or `unknown` it counts as spent',
          'returns it with "Already paid" for nothing',
          'how to repeat a call without paying twice',
          'returns `earlier_payment_settled` and pays nothing either',
        ],
        state: ['paid', 'open', 'void', 'unknown'],
        evidence: ['nonce', 'movement', 'unused_at_expiration', 'searched', 'unreadable'],
        from: 'the receipt of the earlier payment, looked up again on the ledger',
        test: agent(UNDECIDED),
      },
      {
        says: ['**If nothing was sent,**', '`payment_rejected` (it can never settle)'],
        state: 'void',
        evidence: ['never_valid', 'unused_at_expiration', 'searched'],
        from: 'the refusal came before a signature was sent, or the ledger shows that it can never pay',
        test: agent('a price above maxAmount, and an invalid request, pay nothing'),
      },
    ],
  },
  {
    file: 'skills/pay-for-apis/SKILL.md',
    rows: [
      {
        says: 'when the user asks what an agent may spend or has paid',
        about: 'when the skill is used',
      },
      {
        says: '`settled`: the payment went through.',
        state: 'paid',
        evidence: ['nonce', 'movement'],
        from: 'the outcome of the call, from the ledger',
        test: agent(
          'a connection that is cut after the settlement is reported as paid, with the hash',
        ),
      },
      {
        says: '`not_paid`: nothing was paid.',
        state: ['none', 'void'],
        evidence: ['never_valid', 'searched'],
        from: 'the outcome of the call, from the ledger',
        test: agent('a price above maxAmount, and an invalid request, pay nothing'),
      },
      {
        says: [
          'The amount counts as spent.',
          '`not_yet` and `unknown`: the payment can still settle',
          'which pays nothing while the first payment can settle',
          'That pays nothing, and returns the answer',
        ],
        state: ['open', 'unknown'],
        evidence: 'unreadable',
        from: 'the outcome of the call: `unknown`',
        test: agent(UNDECIDED),
      },
    ],
  },
  {
    file: 'SECURITY.md',
    rows: [{ says: 'a payment that settles twice', about: 'what to report as a vulnerability' }],
  },
  {
    file: 'docs/migration.md',
    rows: [
      {
        says: 'it never settles twice',
        state: 'paid',
        evidence: 'nonce',
        from: 'the ledger keeps a used nonce until the expiration that it was used with',
        test: ['test/facilitator/outcomes.test.ts', 'is known from the ledger after a restart'],
      },
    ],
  },
  {
    file: 'docs/architecture.md',
    rows: [
      {
        says: 'Nothing is sent before it is recorded',
        state: 'each',
        from: 'an envelope is recorded before it is sent; its outcome is read from the ledger',
        test: [
          'test/sim/settling.test.ts',
          'nothing is sent, and the payment may be presented again',
        ],
      },
    ],
  },
  {
    file: 'docs/editor.md',
    rows: [
      {
        says: 'A settlement opens as a page: whether money moved',
        state: 'each',
        from: 'the facilitator’s record and the transaction on the ledger',
        test: ['test/editor/logic/testPayment.test.ts', 'six steps in order, the payment'],
      },
    ],
  },
  {
    file: 'docs/upto.md',
    rows: [
      {
        says: ['the ceiling is settled', '`amount` in the response is what was settled.'],
        state: 'paid',
        evidence: 'contract_record',
        from: 'the settlement contract’s record of the nonce, with the amount',
        test: [
          'test/upto/settlement.test.ts',
          'another facilitator queries the contract, and reports the settled amount',
        ],
      },
      {
        says: [
          'is the last ledger in which the payment can settle',
          'present the same payload again, or wait until its `expiration_ledger`',
        ],
        state: 'open',
        from: 'the expiration that the payer signed',
        test: [
          'test/upto/settlement.test.ts',
          'an expiration that is past or more than 17,280 ledger',
        ],
      },
    ],
  },
  {
    file: 'docs/policies.md',
    rows: [
      {
        says: [
          'it is settled at 0.10',
          'the ceiling counts as spent',
          'everything that counts at that moment counts as spent then',
          'it requires no proof and pays nothing',
          'nothing was signed',
        ],
        about: 'the policy’s own counters, and calls that do not pay',
      },
    ],
  },
  {
    file: 'docs/catalog.md',
    rows: [
      {
        says: ['that nobody has paid for in 90 days', 'repeats what was paid and declared before'],
        about: 'the history of a listing',
      },
    ],
  },
  {
    file: 'docs/cheat-sheet.md',
    rows: [
      {
        says: 'if one of the requests was answered for free',
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
    file: 'docs/control.md',
    rows: [
      {
        says: 'if you send it again, it is valid again',
        about: 'a transaction of the embedded network that was undone',
      },
    ],
  },
  {
    file: 'docs/quickstarts/sell.md',
    rows: [
      {
        says: 'The payment has settled: 0.01 USDC moved',
        state: 'paid',
        evidence: 'nonce',
        from: 'the output of `svc-x402 pay`, which has read the ledger',
        test: ['test/docs/quickstarts.test.ts', 'sell'],
      },
    ],
  },
  {
    file: 'examples/agent/README.md',
    rows: [
      {
        says: ['pays nothing, and exits', 'the first session pays twice'],
        about: 'how often the example buys',
      },
    ],
  },
  {
    file: 'examples/python-api/README.md',
    rows: [
      {
        says: 'Before you pay again, look up its outcome',
        state: 'unknown',
        evidence: 'unreadable',
        from: 'a response that was lost; the facilitator is asked by hash or nonce',
        test: truth('returns state, hash, ledger and amounts by the hash and by payer and nonce'),
      },
    ],
  },
];
