/**
 * The words that the lexical stage knows: eight synonym groups, six stem rules, and the words that it ignores (spec: GET
 * /discovery/search, Lexical). docs/search.md explains the choice.
 */

/**
 * Words of one group find each other. They cover what marketplaces of paid APIs sell most and buyers name most differently. A
 * synonym counts half as much as the word itself.
 */
export const SYNONYM_GROUPS: readonly (readonly string[])[] = [
  ['weather', 'forecast', 'climate', 'meteorology'],
  ['price', 'quote', 'rate', 'cost', 'ticker'],
  ['image', 'picture', 'photo', 'photograph'],
  ['translate', 'language', 'localize'],
  ['news', 'headline', 'article', 'story'],
  ['location', 'place', 'address', 'coordinates', 'geocode'],
  ['speech', 'voice', 'audio', 'spoken'],
  ['summary', 'summarize', 'digest', 'condense'],
];

/** An ending and what it becomes. `minimum`: letters that have to remain. */
interface StemRule {
  readonly ending: RegExp;
  readonly becomes: string;
  readonly minimum: number;
  readonly example: string;
}

/** Applied in this order, each at most once, to words of four letters or more. */
export const STEM_RULES: readonly StemRule[] = [
  { ending: /ies$/, becomes: 'y', minimum: 3, example: 'queries → query' },
  { ending: /(?<![sui])s$/, becomes: '', minimum: 3, example: 'prices → price' },
  {
    ending: /(?<=[aeiouy].*)(?:(?<=([bdgmnprt]))\1)?ing$/,
    becomes: '',
    minimum: 3,
    example: 'mapping → map',
  },
  {
    ending: /(?<=[aeiouy].*)(?:(?<=([bdgmnprt]))\1)?ed$/,
    becomes: '',
    minimum: 3,
    example: 'delayed → delay',
  },
  { ending: /(?<=[ts])ion$/, becomes: '', minimum: 4, example: 'translation → translat' },
  { ending: /e$/, becomes: '', minimum: 3, example: 'translate → translat' },
];

/** Words that a rule would join with a word of different meaning. */
export const NEVER_STEMMED: ReadonlySet<string> = new Set(['news', 'does']);

/** Words that say nothing about a resource's purpose, including those that only ask. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after all an and any anything are around as at be been before below between but by can ' +
    'close com could did do does each every find for from get give had has have help her here hers ' +
    'him his how http https i if in into is it its let long made make many may me mine more most much ' +
    'my near need no not now of off on once one only or other our out over own please say see she ' +
    'should show so some than that the their them then there these they thing this those to under up ' +
    'us use using very want was we were what when where whether which while who whose why will with ' +
    'within without would www you your api apis endpoint example io org net v1 v2 v3 ' +
    'able also am anyone assist cannot curious don d else ever got happen hello hey hi however ' +
    'interested just kindly know like ll looking look m maybe myself ok okay perhaps possible provide ' +
    're really retrieve s so somehow someone something suggest t tell thank thanks too trying ve want ' +
    'wanted wants well wonder wondering yes'
  ).split(' '),
);
