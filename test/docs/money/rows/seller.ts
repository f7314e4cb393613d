import type { FileRows, TestName } from '../row.ts';

const sell = (title: string): TestName => ['src/seller/sell.test.ts', title];

const mpp = (title: string): TestName => ['src/seller/mpp/mppProtocol.test.ts', title];

const inPage = (title: string): TestName => ['test/proxy/people.test.ts', title];

/** What a seller answers by itself, and the proxy around it. */
export const SELLER: readonly FileRows[] = [
  {
    file: 'src/seller/decide.ts',
    rows: [
      {
        at: 'Exchange.#recalled',
        says: 'This payment was presented for another request. Nothing was taken for this one',
        state: 'each',
        from: 'the book: the authorization belongs to the request that it was first presented for',
        test: sell('is not made under a payment that another body was sent with'),
      },
      {
        at: 'Exchange.#recalled',
        says: 'The first request with this payment is still being served',
        state: 'each',
        from: 'the claim of another request on the same sale',
        test: sell('of a stream is delivered once, and cannot be had again or twice at once'),
      },
      {
        at: 'Exchange.#recalled',
        says: 'This payment settled and its response was delivered',
        state: 'paid',
        evidence: 'journal',
        from: 'the book has the facilitator’s receipt, which is sent along',
        test: sell('of a stream is delivered once, and cannot be had again or twice at once'),
      },
      {
        at: 'Exchange.#undecided',
        says: 'The settlement is not decided',
        state: 'unknown',
        evidence: 'not_asked',
        from: 'the facilitator gave no answer that decides it, four times',
        test: sell('the identical request gets the kept response later'),
      },
    ],
  },
  {
    file: 'src/seller/sell.ts',
    rows: [
      {
        at: 'NOT_STORED',
        state: 'open',
        from: 'the settlement is asked for only after the sale is stored',
        test: sell('while the sale cannot be stored'),
      },
      {
        at: 'UNDECIDED',
        state: 'unknown',
        evidence: 'not_asked',
        from: 'an earlier request may have asked for the settlement',
        test: sell(
          'does not say that nothing was taken if it fails once the settlement was asked for',
        ),
      },
    ],
  },
  {
    file: 'src/seller/mpp/mppProtocol.ts',
    rows: [
      {
        at: 'DETAILS.settlement-failed',
        state: 'each',
        from: 'the facilitator says that the settlement is void; its code is in the same body',
        test: mpp(', our code as error, and no receipt'),
      },
    ],
  },
  {
    file: 'docs/mpp.md',
    rows: [
      {
        says: [
          'the response is stored before its payment is settled',
          'nor are charges whose network fee the buyer would pay',
        ],
        about: 'the order of a sale, and what is not accepted',
      },
      {
        says: [
          'the identical request gets the stored response again',
          'a client that signs another payment instead can pay twice',
        ],
        state: ['paid', 'unknown'],
        evidence: ['journal', 'not_asked'],
        from: 'the seller’s book, which has the sale before its settlement is asked for',
        test: mpp('gets its lost response again with the same receipt'),
      },
      {
        says: 'only after `payment_used`; otherwise send the identical call again',
        state: ['paid', 'open', 'unknown'],
        evidence: ['journal', 'not_asked'],
        from: 'a settlement that is not decided, or a sale that is owed: the seller’s book has the authorization',
        test: [
          'src/seller/mcp/toolSale.test.ts',
          'is -32603 without a challenge while its settlement is not decided, and is sold later',
        ],
      },
      {
        says: 'The error has `moneyMoved` and `fate`',
        state: 'each',
        from: 'the SDK reads the authorization from the ledger',
        test: [
          'test/mpp/secondSignature.test.ts',
          'asks again: nothing else is signed, and the error says until when it can settle',
        ],
      },
    ],
  },
  {
    file: 'src/proxy/proxyServer.ts',
    rows: [
      {
        at: 'startProxy.handle',
        says: 'The proxy failed',
        state: 'unknown',
        evidence: 'not_asked',
        from: 'an error at any step; the identical request finds out',
        test: [
          'test/proxy/kill.test.ts',
          'delivers it for the identical request, and is paid once',
        ],
      },
      { at: 'startProxy.notReady.message', about: 'whether payments would be settled now' },
    ],
  },
  {
    file: 'src/seller/mcp/toolSale.ts',
    rows: [
      {
        at: 'owedAnswer.text',
        says: 'The tool failed after it was paid',
        state: 'paid',
        evidence: 'journal',
        from: 'the settlement before the call; a result has its receipt, and an error of MPP none',
        test: [
          'test/proxy/mcp.test.ts',
          'with settle: before, owes what the tool failed to do, and has it done later',
        ],
      },
    ],
  },
  {
    file: 'src/cli/proxy/proxyCommand.ts',
    rows: [
      { at: 'ENVIRONMENT', about: 'when the money of a sale is taken' },
      {
        at: 'addProxyCommand',
        says: 'a page on which a person can pay',
        about: 'what browsers get for a price',
      },
    ],
  },
  {
    file: 'src/payPage/words.ts',
    rows: [
      {
        at: 'ENGLISH.offline',
        state: 'unknown',
        evidence: 'not_asked',
        from: 'the payment was kept and sent, and no answer arrived',
        test: inPage('a lost answer: the same payment is presented again'),
      },
      {
        at: 'ENGLISH.noNetwork',
        state: 'none',
        from: 'no payment is kept, so none was sent',
        test: inPage('without a network before it signs, nothing is paid'),
      },
      {
        at: ['ENGLISH.open', 'ENGLISH.openUntil'],
        says: 'The payment is not decided yet',
        state: ['open', 'unknown'],
        evidence: 'history_too_short',
        from: 'the ledger, after the seller answered without the thing',
        test: inPage('a payment that stays open: nothing else is signed'),
      },
      {
        at: 'ENGLISH.void',
        state: 'void',
        evidence: ['unused_at_expiration', 'searched'],
        from: 'the ledger, after the seller answered without the thing',
        test: inPage('a payment that stays open: nothing else is signed'),
      },
      {
        at: 'ENGLISH.owed',
        state: 'paid',
        evidence: ['nonce', 'movement'],
        from: 'the ledger, after the seller answered without the thing',
        test: inPage('a seller that was paid and fails: it is owed'),
      },
      {
        at: 'ENGLISH.changed',
        state: 'none',
        from: 'the terms are compared before anything is signed',
        test: inPage('terms that change after the page was shown are not signed'),
      },
      {
        at: 'ENGLISH.failed',
        state: 'none',
        from: 'no payment is kept, so none was sent',
        test: inPage('a browser that keeps nothing pays nothing'),
      },
      {
        at: ['ENGLISH.noWallet', 'ENGLISH.wrongNetwork'],
        says: 'Nothing was signed',
        state: 'none',
        from: 'the wallet is looked at before it is asked for anything',
        test: inPage('a wallet that refuses, is elsewhere or is not there'),
      },
    ],
  },
  {
    file: 'docs/proxy.md',
    rows: [
      {
        says: 'Before anything is signed, the terms are asked for again',
        state: 'none',
        from: 'the terms are compared before anything is signed',
        test: inPage('terms that change after the page was shown are not signed'),
      },
      {
        says: [
          'The payment is settled, and the response is sent with its receipt',
          'With `settle: before`, the payment is settled before the API works',
          'the payment is settled once their headers are there',
          'empty if the payment is settled after the response',
          'if the facilitator would not settle',
        ],
        about: 'when the money of a sale is taken',
      },
      {
        says: [
          'the identical request is served again, without another payment',
          'gets the stored response again for 25 hours',
          'send the identical request again',
        ],
        state: ['paid', 'unknown'],
        evidence: ['journal', 'not_asked'],
        from: 'the proxy’s store, which has the sale before its settlement is asked for',
        test: [
          'test/proxy/kill.test.ts',
          'delivers it for the identical request, and is paid once',
        ],
      },
    ],
  },
  {
    file: 'docs/seller.md',
    rows: [
      {
        says: [
          'the response is kept until its payment has settled',
          'No byte of the response leaves before its payment has settled',
          'is settled once its headers are',
          'settles before the handler works',
        ],
        about: 'when the money of a sale is taken',
      },
      {
        says: ['gets the kept response for 25 hours'],
        state: 'paid',
        evidence: 'journal',
        from: 'the seller’s book, which has the facilitator’s receipt',
        test: [
          'test/seller/adapters.test.ts',
          'answers the identical request with the kept response, and another one with 409',
        ],
      },
    ],
  },
];
