/**
 * The words of the project, as CONTRIBUTING.md states them: what a pattern finds, and what to write instead. A pattern finds
 * words that are wrong wherever they occur; what only a reader can judge is left to readers.
 *
 * @type {readonly { readonly name: string, readonly find: RegExp, readonly instead: string }[]}
 */
export const style = [
  {
    name: 'software-tells',
    find: /(?<!\b(?:you|people) )\b(?:tell(?:s|ing)?|told)\b(?! (?:apart|the user|thank)\b)/gi,
    instead: 'people tell; software returns, reports, logs, prints, receives',
  },
  {
    name: 'stands',
    find: /\b(?:stands?|standing)(?= (?:in|on|at|there|outside|above|below|beside|behind|before|already|as)\b)/gi,
    instead: 'is in, is stored in, exists, remains',
  },
  {
    name: 'lies',
    find: /\b(?:lies?|lay)(?= (?:in|on|there|beside|below|above|under|behind)\b)/gi,
    instead: 'is in, is stored in',
  },
  { name: 'anew', find: /\b(?:anew|afresh)\b/gi, instead: 'again' },
  { name: 'mend', find: /\bmend(?:s|ed|ing)?\b/gi, instead: 'fix' },
  { name: 'go-on', find: /\b(?:goes|go|went|going) on\b/gi, instead: 'continue' },
  {
    name: 'take-over',
    find: /\b(?:take|takes|took|taken|taking) (?:it |them |this )?over\b/gi,
    instead: 'adopt',
  },
  {
    name: 'as-it-is',
    find: /(?<!\bfar )\bas (?:it|they) (?:is|are|was|were)\b(?! (?:not|now|of|kept|known|written|informative|\w+ed)\b)/gi,
    instead: 'unchanged',
  },
  {
    name: 'whoever',
    find: /\bwho(?:ever|soever)\b/gi,
    instead: 'the caller, the user, anyone who',
  },
  {
    name: 'is-no',
    find: /(?<!\bthere |\bThere )\b(?:is|are|was|were) no (?!longer\b|more\b|one\b|match\b)(?=[a-z])/g,
    instead: 'negate the verb: "is not a contract"',
  },
  {
    name: 'is-none',
    find: /\b(?:that|which) (?:is|are) none\b/gi,
    instead: 'name what is wrong with it',
  },
  { name: 'does-not-run', find: /\b(?:does|do|did) not run\b/gi, instead: "isn't running" },
  {
    name: 'replace-by',
    find: /\breplac(?:e|es|ing)(?: \w+){0,2} by\b/gi,
    instead: 'replace … with',
  },
  {
    name: 'could-not-be',
    find: /\bcould not be (?=looked|written|read|reached|had)/gi,
    instead: 'say who could not: "could not read …"',
  },
  { name: 'beside', find: /\bbeside that\b/gi, instead: 'also' },
  { name: 'begun', find: /\bbegin(?:s)? (?:anew|afresh|again)\b/gi, instead: 'start again' },
  {
    name: 'what-is',
    find: /\bWhat (?:is|was|are|were) (?:\w+) (?:is|was|are|were)\b/g,
    instead: 'the … (a noun)',
  },
  {
    name: 'in-their-words',
    find: /\bin (?:its|their) (?:own )?words\b/gi,
    instead: 'description, message',
  },
  {
    name: 'account-of',
    find: /\b(?:logs and account|the account as JSON|the account says|the account of what|the account that the command)\b/gi,
    instead: 'output, report',
  },
  { name: 'proven', find: /\bproven unconfirmed\b/gi, instead: 'not verified yet' },
  { name: 'belongs-to', find: /\bit belongs to\b/gi, instead: 'run it in, it is part of' },
  { name: 'so-that', find: /\bon the part of\b/gi, instead: 'by' },
];

/** Words in a sentence above which it is reported. */
export const longest = 40;
