/** A call on the way of one settlement. */
export interface Step {
  readonly from: string;
  readonly to: string;
  /** The function that is called, and the file that has it. */
  readonly call: string;
  readonly file: string;
  readonly note?: string;
}

/** Participants of the drawing, in the order of the columns. */
export const COLUMNS = {
  seller: 'seller',
  http: 'server/http',
  facilitator: 'server/facilitator',
  journal: 'settlement/journal',
  settlement: 'server/settlement',
  network: 'server/network',
  ledger: 'Stellar RPC',
  catalog: 'server/catalog',
} as const;

/** One settlement that succeeds, call by call; the numbers are those of the sources' comments. */
export const STEPS: readonly Step[] = [
  {
    from: 'seller',
    to: 'http',
    call: 'settle',
    file: 'src/server/http/createApp.ts',
    note: 'POST /settle: rate, 32 KiB, schema',
  },
  {
    from: 'http',
    to: 'facilitator',
    call: 'settlePayment',
    file: 'src/server/facilitator/settle/settlePayment.ts',
    note: '1. the form',
  },
  {
    from: 'facilitator',
    to: 'facilitator',
    call: 'provePayer',
    file: 'src/server/facilitator/settle/provePayer.ts',
    note: '2. the signature',
  },
  {
    from: 'facilitator',
    to: 'journal',
    call: 'claim',
    file: 'src/server/settlement/journal/settlementJournal.ts',
    note: '3. presented for the first time',
  },
  {
    from: 'facilitator',
    to: 'facilitator',
    call: 'simulate',
    file: 'src/server/facilitator/payment/paymentScheme.ts',
    note: '4. the scheme judges it',
  },
  {
    from: 'facilitator',
    to: 'network',
    call: 'simulate',
    file: 'src/server/network/stellarNetwork.ts',
    note: 'runs __check_auth',
  },
  {
    from: 'facilitator',
    to: 'facilitator',
    call: 'commit',
    file: 'src/server/facilitator/limits/payerFunds.ts',
    note: "5. the payer's funds",
  },
  {
    from: 'facilitator',
    to: 'settlement',
    call: 'reserve',
    file: 'src/server/settlement/sponsor.ts',
    note: "the sponsor's worst fee",
  },
  {
    from: 'facilitator',
    to: 'settlement',
    call: 'acquire',
    file: 'src/server/settlement/channelPool.ts',
    note: 'one of 50 channels',
  },
  {
    from: 'facilitator',
    to: 'settlement',
    call: 'feeBumpedEnvelope',
    file: 'src/server/settlement/settlementTransaction.ts',
    note: '6. rebuilt on the channel, signed',
  },
  {
    from: 'facilitator',
    to: 'journal',
    call: 'submitting',
    file: 'src/server/settlement/journal/settlementJournal.ts',
    note: '7. hash and envelope, before they are sent',
  },
  {
    from: 'settlement',
    to: 'network',
    call: 'send',
    file: 'src/server/network/stellarNetwork.ts',
    note: '8. sendTransaction, the fee bump',
  },
  {
    from: 'network',
    to: 'ledger',
    call: 'sendTransaction',
    file: 'src/server/network/sendTransaction.ts',
  },
  {
    from: 'settlement',
    to: 'network',
    call: 'lookUp',
    file: 'src/server/network/stellarNetwork.ts',
    note: '9. until the ledger has decided',
  },
  {
    from: 'facilitator',
    to: 'journal',
    call: 'decided',
    file: 'src/server/settlement/journal/settlementJournal.ts',
  },
  {
    from: 'facilitator',
    to: 'catalog',
    call: 'notifyCatalog',
    file: 'src/server/facilitator/settle/concludeSettlement.ts',
    note: '10. its failure changes nothing',
  },
  {
    from: 'facilitator',
    to: 'settlement',
    call: 'release',
    file: 'src/server/settlement/channelPool.ts',
    note: 'on every exit path',
  },
  {
    from: 'http',
    to: 'seller',
    call: 'settleAnswer',
    file: 'src/server/http/answers.ts',
    note: 'hash, extension-responses',
  },
];
