import { corpus } from '../../bench/search/corpus.ts';
import { type PaidBy, payerWeight, standingOfEntry } from '../../src/server/catalog/evidence.ts';
import type { SearchDocument } from '../../src/server/search/index.ts';
import { searchDocument } from './searchDocuments.ts';

const DAY_MS = 86_400_000;
const USDC = 10_000_000;
const SEED = 40;

/** The ways in which sellers try to buy a place. */
export const TRICKS = ['stuffing', 'copies', 'translations', 'homoglyphs', 'sybils'] as const;
export type Trick = (typeof TRICKS)[number];

/** A word that many sellers want to be found by, with what spammers make of it. */
export interface Contested {
  readonly word: string;
  readonly query: string;
  readonly translations: string;
  readonly disguised: string;
}

export const CONTESTED: readonly Contested[] = [
  {
    word: 'weather',
    query: 'weather forecast for Oslo',
    translations: 'Wetter tiempo 天气 मौसम météo',
    disguised: 'wеather weаther wea\u200bther ԝeather',
  },
  {
    word: 'translate',
    query: 'translate a text to German',
    translations: 'übersetzen traducir 翻译 अनुवाद traduire',
    disguised: 'trаnslate translаte tran\u200bslate translatе',
  },
  {
    word: 'news',
    query: 'news headlines of today',
    translations: 'Nachrichten noticias 新闻 समाचार actualités',
    disguised: 'nеws newѕ ne\u200bws nеwѕ',
  },
  {
    word: 'image',
    query: 'generate an image from a text',
    translations: 'Bild imagen 图片 चित्र photographie',
    disguised: 'imаge imagе im\u200bage іmage',
  },
  {
    word: 'price',
    query: 'price of bitcoin now',
    translations: 'Preis precio 价格 मूल्य prix',
    disguised: 'рrice priсe pri\u200bce pricе',
  },
];

/** A payment history of an entry. */
export interface History {
  readonly payers: readonly PaidBy[];
  readonly verified: boolean;
  /** How long it has been paid for. */
  readonly days: number;
}

/** Returns the standing that the catalog computes for a history. */
export const standingOf = ({ payers, verified, days }: History): number =>
  standingOfEntry({
    ownerState: verified ? 'verified' : 'unverifiable',
    isLocal: false,
    evidence: payers.reduce((sum, paid) => sum + payerWeight(paid), 0),
    createdAt: 0,
    settledAt: days * DAY_MS,
  });

/** Payers who each paid this much, in USDC, spread over these days. */
export const payers = (count: number, usdc: number, days: number): PaidBy[] =>
  Array.from({ length: count }, () => ({
    paid: usdc * USDC,
    firstAt: 0,
    lastAt: days * DAY_MS,
  }));

/** A fresh payer each, 0.01 USDC, on one day: what an attacker gets in minutes. */
export const sybils = (count: number): History => ({
  payers: payers(count, 0.01, 0),
  verified: true,
  days: 0,
});

function spamText(trick: Trick, { word, translations, disguised }: Contested, copied: string) {
  const once = `${word} api`;
  switch (trick) {
    case 'stuffing':
      return `${Array.from({ length: 12 }, () => word).join(' ')} cheapest best number one`;
    case 'copies':
      return copied;
    case 'translations':
      return `${once} ${translations}`;
    case 'homoglyphs':
      return `${once} ${disguised}`;
    case 'sybils':
      return `${once} of the best`;
  }
}

export interface Listed {
  readonly document: SearchDocument;
  readonly trick: Trick | undefined;
}

/** Entries of honest sellers and of spammers, one of whom in twenty; the same for the same numbers. */
export function* contestedCatalog(count: number, spammers: number): Generator<Listed> {
  let state = SEED;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
  const copied = new Map<string, SearchDocument>();
  let made = 0;
  for (const honest of corpus(count - spammers)) {
    made += 1;
    const many = Math.floor(2 ** (random() * 5)) - 1;
    const history: History = {
      payers: Array.from({ length: many }, () => ({
        paid: (0.05 + random() * 5) * USDC,
        firstAt: 0,
        lastAt: Math.floor(random() * 60) * DAY_MS,
      })),
      verified: random() < 0.6,
      days: Math.floor(random() * 180),
    };
    const standing = standingOf(history);
    const document = { ...honest, sequence: made, standing };
    for (const { word } of CONTESTED) {
      const best = copied.get(word);
      const isAbout = document.tags.includes(word) || document.description?.includes(word);
      if (isAbout && standing > (best?.standing ?? 300)) copied.set(word, document);
    }
    yield { document, trick: undefined };
  }
  for (let n = 0; n < spammers; n += 1) {
    const trick = TRICKS[n % TRICKS.length] ?? 'stuffing';
    const about = CONTESTED[Math.floor(n / TRICKS.length) % CONTESTED.length];
    if (about === undefined) throw new Error('no contested word');
    const original = copied.get(about.word);
    const text = spamText(trick, about, original?.description ?? '');
    // Half of them list many entries for one recipient, half have a recipient and a domain for each.
    const owner = n % 2 === 0 ? `spammer of ${about.word}` : `spammer ${n}`;
    const history =
      trick === 'sybils' ? sybils(100) : { payers: payers(1, 0.01, 0), verified: false, days: 0 };
    made += 1;
    yield {
      trick,
      document: searchDocument(`spam ${n}`, made, {
        url: `https://spam${n % 2 === 0 ? '' : n}.test/${about.word}/${n}`,
        serviceName: trick === 'copies' ? (original?.serviceName ?? null) : `${about.word} ${n}`,
        tags: trick === 'copies' ? (original?.tags ?? []) : [about.word],
        description: text.slice(0, 256),
        standing: standingOf(history),
        seller: owner,
        origin: owner,
      }),
    };
  }
}
