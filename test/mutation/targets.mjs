/**
 * What is mutated, and the tests that answer for it: the fast ones, quickest first, since a mutant is
 * dead once one of them fails.
 *
 * @type {Readonly<Record<string, { about: string, mutate: string[], tests: string[], share?: number, skip?: string }>>}
 */
export const targets = {
  schemes: {
    about: 'the checks of `exact` and `upto`',
    mutate: ['src/server/facilitator/schemes/**/*.ts'],
    tests: ['src/server/facilitator/schemes'],
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
  },
  exchange: {
    about: 'the arithmetic of the order book and of liquidity pools',
    mutate: ['src/ledger/transaction/exchange/*.ts'],
    tests: [
      'src/ledger/transaction/exchange',
      'src/ledger/transaction/operations/manageOffer.test.ts',
      'src/ledger/transaction/operations/manageOfferRefusals.test.ts',
      'src/ledger/transaction/operations/pathPayment.test.ts',
      'src/ledger/transaction/operations/poolTrading.test.ts',
      'src/ledger/transaction/operations/manageOfferLimits.test.ts',
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
    ],
    // Of the properties those of removing and finding again; the corpus holds what is written.
    skip: 'parses|nothing but insertions|byte for byte|line ends are|the order of removing',
    share: 0.03,
  },
};
