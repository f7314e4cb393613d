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
    to: 'journal',
    call: 'claim',
    file: 'src/server/settlement/journal/settlementJournal.ts',
    note: '2. presented for the first time',
  },
  {
    from: 'facilitator',
    to: 'settlement',
    call: 'reserve',
    file: 'src/server/settlement/sponsor.ts',
    note: "3. the sponsor's worst fee",
  },
  {
    from: 'facilitator',
    to: 'settlement',
    call: 'acquire',
    file: 'src/server/settlement/channelPool.ts',
    note: '4. one of 50 channels',
  },
  {
    from: 'facilitator',
    to: 'settlement',
    call: 'settleOnChannel',
    file: 'src/server/settlement/settleOnChannel.ts',
    note: '5. rebuilt on the channel',
  },
  {
    from: 'settlement',
    to: 'facilitator',
    call: 'simulate',
    file: 'src/server/facilitator/payment/paymentScheme.ts',
    note: 'the scheme judges it',
  },
  {
    from: 'facilitator',
    to: 'network',
    call: 'simulate',
    file: 'src/server/network/stellarNetwork.ts',
    note: 'runs __check_auth',
  },
  {
    from: 'settlement',
    to: 'journal',
    call: 'submitting',
    file: 'src/server/settlement/journal/settlementJournal.ts',
    note: 'hash and envelope, before they are sent',
  },
  {
    from: 'settlement',
    to: 'network',
    call: 'send',
    file: 'src/server/network/stellarNetwork.ts',
    note: 'sendTransaction, the fee bump',
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
    note: 'until the ledger has decided',
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
    file: 'src/server/facilitator/settle/notifyCatalog.ts',
    note: '6. its failure changes nothing',
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
