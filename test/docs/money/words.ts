/**
 * Words with which the product says what happened to a payment's money, or what a reader should do about it. A sentence with any
 * of them needs a row in the table. They are wider than necessary: a sentence about something else gets a row that says so.
 */
const SAYS_MONEY = new RegExp(
  [
    // What happened.
    String.raw`\bmoney (?:has )?moved\b|\bmoved? (?:no )?money\b|\bno money\b|\bmoneyMoved\b|\bnetwork fees were\b`,
    String.raw`\bnothing (?:can |was |is |has been |had been |has |will be )?(?:\w+ )?(?:paid|signed|submitted|sent|charged|moved|settled|pay)\b`,
    String.raw`\b(?:never|not|no longer) (?:yet )?(?:been )?(?:submitted|settled|paid|charged)\b`,
    String.raw`\b(?:has|have|had|been|was|were|is|it|already|payments?|authorization) (?:already |just )?settled\b`,
    String.raw`\bsettled (?:as|since|on the ledger|under)\b`,
    String.raw`\b(?:has|have|had|was|were|been|already|facilitator|sponsor|only) (?:already )?paid\b(?! (?:endpoint|route))`,
    String.raw`\bpaid (?:twice|once|now|…)|\bpayment (?:is|was|has) (?:\w+ )?(?:made|undecided|settled)\b|\bwent through\b|\bpaid for nothing\b|\bgot (?:paid|the money)\b|\bpays nothing\b`,
    String.raw`\b(?:did|does|do|will|would|has|have|is|was|are|were) (?:not|never) (?:yet )?(?:settled?|refunded)\b|\brefund(?:s|ed)\b|\bcounts? as spent\b|\bspent or |\bbeing settled\b|\bcharged by mistake\b`,
    String.raw`\bsettles? (?:or fails|twice)\b|\bnever settles?\b`,
    // What can still happen.
    String.raw`\b(?:can|could|may|might|will) (?:\w+ )?(?:settle|pay)\b(?= (?:twice|again|until|by|under|it)\b|[.,:;]|$)|\bstill (?:settle|pay)\b`,
    // What to do.
    String.raw`\b(?:pay|pays|paying) (?:again|twice|once)\b`,
    String.raw`\bsign(?:s|ed)? (?:a|an|another|one)\b[^.]{0,14}\b(?:new|again|second|fresh)\b|\bsign(?:ed)? (?:again|afresh)\b`,
    String.raw`\b(?:present|send) (?:the (?:same|identical|payment)|it again)\b|\bidentical (?:request|.?/settle)`,
    // What a check of spellings concludes.
    String.raw`\banswered (?:it )?(?:for free|without asking)\b|^free, |… free\b`,
  ].join('|'),
  'i',
);

/** Statements of databases, which no reader sees. */
const SQL = /\b(?:UPDATE|INSERT INTO|CREATE INDEX|SELECT)\b/;

/** Whether a text says something about money. */
export function saysMoney(text: string): boolean {
  return /\s/.test(text) && SAYS_MONEY.test(text) && !SQL.test(text);
}

/** What a source contains if it may have a statement, comments left out; quicker than the words themselves. */
const HINT =
  /moneyMoved|MoneyMoved|fateInWords|success: true|evidence: '|n[eo][tv][a-z_]*_(?:paid|settled|submitted)|paid|settle|money|sign|pay |submitted|free|identical|moved|spent|charged/;

/** Whether a source has such words or values outside its comments: only those are parsed. */
export function mayWriteMoney(source: string): boolean {
  if (!HINT.test(source)) return false;
  return source
    .split('\n')
    .some(
      (line) => HINT.test(line) && !/^\s*(?:\*|\/\/|\/\*|import )/.test(line) && isStatement(line),
    );
}

function isStatement(line: string): boolean {
  return VALUE.test(line) || SAYS_MONEY.test(line);
}

const VALUE =
  /moneyMoved|success: true|MoneyMoved|fateInWords|evidence: '|'(?:not_paid|not_settled|never_submitted)'|outcome: '/;
