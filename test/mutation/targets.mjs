/**
 * What is mutated, and the tests that answer for it: the fast ones, quickest first, since a mutant is
 * dead once one of them fails.
 *
 * @type {Readonly<Record<string, { about: string, mutate: string[], tests: string[], share?: number, whole?: string[], skip?: string, postgres?: boolean, remarks?: string[] }>>}
 */
export const targets = {
  schemes: {
    about: 'the checks of `exact` and `upto`',
    mutate: ['src/server/facilitator/schemes/**/*.ts'],
    tests: ['src/server/facilitator/schemes'],
    remarks: [
      'Alive without harm: the words of details (`1 bid, ceiling 0 stroops`), since tests hold codes; conditions that only narrow a type for the compiler, which another condition has proved (`value?.type` before its field); a comparison with an account that may be `undefined`, which no set of accounts holds.',
      'Alive, and worth a test: the instance of an asset contract in forms that the host never writes.',
    ],
  },
  ranking: {
    about: "the catalog's ranking: words, fields, fusion, cursors",
    mutate: [
      'src/server/search/{cursor,searchDocument}.ts',
      'src/server/search/{lexical,ranking,text}/*.ts',
    ],
    tests: [
      'src/server/search/text',
      'src/server/search/ranking',
      'src/server/search/lexical',
      'src/server/search/cursor.test.ts',
      'src/server/search/catalogSearch.test.ts',
    ],
    share: 0.5,
    remarks: [
      'Left out for their time: pages under additions, and the index in memory against a new one, which hold that dead places are cleared out (`lexicalIndex.ts`).',
      'Alive without harm: the shortest word that is stemmed, since no rule leaves fewer than three letters.',
    ],
  },
  exchange: {
    about: 'the arithmetic of the order book and of liquidity pools',
    mutate: ['network/src/transaction/exchange/*.ts'],
    tests: [
      'network/src/transaction/exchange',
      'network/src/transaction/operations/manageOffer.test.ts',
      'network/src/transaction/operations/manageOfferRefusals.test.ts',
      'network/src/transaction/operations/pathPayment.test.ts',
      'network/src/transaction/operations/poolTrading.test.ts',
      'network/src/transaction/operations/manageOfferLimits.test.ts',
    ],
    remarks: [
      'Alive without harm: guards against a ledger that contradicts itself (`account_missing`, `exchange_unfair`, `exchange_out_of_bounds`, `pool_out_of_bounds`), which no order of operations reaches; `<` for `<=` where both sides are worth the same (`min`, `max`, prices of one).',
      'Left out for their time: the replay of ledgers that the reference implementation closed (`npm run ledger:replay`), which compares every offer and balance byte for byte.',
    ],
  },
  codegen: {
    about: 'finding routes, and writing payments into code',
    mutate: ['src/codegen/**/*.ts'],
    tests: [
      'src/codegen',
      'test/codegen/specified.test.ts',
      'test/codegen/schemas.test.ts',
      'test/codegen/notes.test.ts',
      'test/codegen/corpus.test.ts',
      'test/codegen/discovery.test.ts',
      'test/codegen/properties.test.ts',
      'test/codegen/gates.test.ts',
      'test/codegen/honoMounts.test.ts',
      'test/codegen/describedPrices.test.ts',
    ],
    remarks: [
      'Alive without harm: the words of refusals; conditions that only narrow a type for the compiler, which another condition has proved.',
      'A sample is drawn by places in the files, so that lines which move change it in part.',
      'Left out for their time: what the compiler says of the changed files, half-typed code, and the properties for files saved in other ways.',
    ],
    // Tried in whole beside the sample of the others.
    whole: [
      'src/codegen/change/reading/firstLine.ts',
      'src/codegen/change/writing/writeKeys.ts',
      'src/codegen/change/removeEntry.ts',
      'src/codegen/change/reading/names.ts',
      'src/codegen/change/nextRestore.ts',
      'src/codegen/change/decision/versions.ts',
      'src/codegen/change/removePayment.ts',
      'src/codegen/change/writing/routeKey.ts',
      'src/codegen/change/unusedImports.ts',
      'src/codegen/routes/nextPath.ts',
    ],
    // Of the properties those of removing and finding again; the corpus holds what is written.
    skip: 'parses|nothing but insertions|byte for byte|line ends are|the order of removing|400 routes of a class|is looked through once',
    share: 0.03,
  },
  settlement: {
    about:
      'the journal of settlements, the leases of channel accounts, and what is proved about a transaction',
    mutate: [
      'src/server/settlement/{channelPool,leasedChannelPool,resendUntilDecided,settlementTransaction,sponsor,transactionFate}.ts',
      'src/server/settlement/journal/*.ts',
    ],
    tests: [
      'src/server/settlement',
      'test/store/journal.test.ts',
      'test/store/instances.test.ts',
      'test/sim',
    ],
    share: 0.35,
    // The server is given, and not theirs to stop; and a connection that breaks is another error inside one process.
    skip: 'while the database is unreachable|survive a broken connection',
    postgres: true,
    remarks: [
      'Alive without harm: a proof that is not needed where another one holds (a transaction that a server refused and a ledger included is found by its hash, its nonce and its sequence number); conditions that only narrow a type for the compiler.',
      'Alive, and worth a test: settlements that begin to wait for a channel while the pool already looks for one (`leasedChannelPool.ts`); five readings of a server that stays behind (`channelSequence.ts`).',
    ],
  },
  truth: {
    about: 'what a settlement may answer, after every loss and crash',
    mutate: [
      'src/server/facilitator/{settle,recovery,payment}/*.ts',
      'src/server/facilitator/{findSettlement,localSettlements,stallWatch,within}.ts',
      'src/sdk/exact/{paymentOutcome,readSettlement}.ts',
    ],
    tests: [
      'src/server/facilitator/settle',
      'src/server/facilitator/payment',
      'src/server/facilitator/localSettlements.test.ts',
      'src/server/facilitator/stallWatch.test.ts',
      'src/sdk/exact',
      'test/sim',
    ],
    share: 0.35,
    remarks: [
      'Alive: leases and settlements of other instances, which only a shared store has. `test/facilitator/lostLease.test.ts`, `sharedRefusal.test.ts` and the fault tests hold them on PostgreSQL, in minutes.',
      'Alive without harm: guards against records that the journal never writes; a step that is done again, since the journal records each step once.',
    ],
  },
  close: {
    about: 'closing a ledger: queue, order, fees, limits, upgrades, eviction',
    mutate: ['network/src/close/**/*.ts'],
    tests: [
      'network/src/close',
      'network/src/host',
      'network/src/replay',
      'network/test/control/state.test.ts',
      'network/test/control/settings.test.ts',
      'network/test/network/submission.test.ts',
      'network/test/network/transfer.test.ts',
      'network/test/network/restart.test.ts',
      'network/test/control/aheadAtOnce.test.ts',
    ],
    share: 0.2,
    remarks: [
      'Left out for its time: the replay of recorded ledgers (`npm run ledger:replay`), which compares every byte of them.',
      'Alive, and worth a test: which changes of an amended ledger are reported (`amendment.ts`).',
    ],
  },
  state: {
    about: 'ledger entries: reading, changing in layers, the order book, digests',
    mutate: ['network/src/state/*.ts'],
    tests: ['network/src/state', 'network/src/transaction/exchange'],
    share: 0.4,
    remarks: [
      'Alive without harm: how many values share a chunk and how many stay decoded, which changes memory and time alone.',
    ],
  },
};
