import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { queryTerms, stem, synonymGroup, terms } from './terms.ts';
import { STEM_RULES, SYNONYM_GROUPS } from './vocabulary.ts';
import { words } from './words.ts';

describe('The lexical stage knows eight synonym groups and six stem rules', () => {
  it('[spec: GET /discovery/search/Lexical] there are 8 groups and 6 rules', () => {
    assert.equal(SYNONYM_GROUPS.length, 8);
    assert.equal(STEM_RULES.length, 6);
  });

  it('[spec: GET /discovery/search/Lexical] each rule does what its example says', () => {
    for (const { example } of STEM_RULES) {
      const [word = '', stemmed = ''] = example.split(' → ');
      // The last rule, of the silent e, comes after the others.
      assert.equal(stem(word), stem(stemmed), example);
      assert.notEqual(stem(word), word, example);
    }
  });

  it('[spec: GET /discovery/search/Lexical] words of one group have its key, and no word is in two groups', () => {
    const all = SYNONYM_GROUPS.flatMap((group) => group.map(stem));
    assert.equal(new Set(all).size, all.length);
    for (const group of SYNONYM_GROUPS) {
      assert.equal(new Set(group.map((word) => synonymGroup(stem(word)))).size, 1, group.join());
    }
  });

  it('[spec: GET /discovery/search/Lexical] each word finds the others of its group', () => {
    const said = [
      'weather forecast climate meteorology',
      'price quote rate cost ticker',
      'image picture photo photograph',
      'translate language localize',
      'news headline article story',
      'location place address coordinates geocode',
      'speech voice audio spoken',
      'summary summarize digest condense',
    ];
    const keyOf = (word: string) => synonymGroup(stem(word));
    for (const [first = '', ...others] of said.map((group) => group.split(' '))) {
      assert.ok(keyOf(first), first);
      for (const other of others) assert.equal(keyOf(other), keyOf(first), other);
    }
    assert.equal(new Set(said.map((group) => keyOf(group.split(' ')[0] ?? ''))).size, 8);
  });

  it('removes endings only from the end, and leaves three letters', () => {
    for (const whole of ['feedback', 'nationality', 'bookingcom']) assert.equal(stem(whole), whole);
    assert.equal(stem('dies'), 'die');
  });

  it('joins the forms of a word', () => {
    for (const forms of [
      ['translate', 'translating', 'translated', 'translation', 'translations', 'translates'],
      ['price', 'prices', 'pricing', 'priced'],
      ['query', 'queries'],
      ['map', 'mapping', 'mapped'],
      ['image', 'images', 'imaging'],
    ]) {
      assert.deepEqual(new Set(forms.map(stem)).size, 1, forms.join());
    }
  });

  it('does not join words that a rule would join wrongly', () => {
    assert.equal(stem('news'), 'news');
    assert.equal(stem('gas'), 'gas');
    assert.equal(stem('bus'), 'bus');
    assert.equal(stem('string'), 'string');
    assert.equal(stem('address'), 'address');
    assert.equal(stem('status'), 'status');
  });
});

describe('A text is split into words', () => {
  it('without case, accents and signs', () => {
    assert.deepEqual(words('Café-Prices, São_Paulo!'), ['cafe', 'prices', 'sao', 'paulo']);
  });

  it('with camel case both split and whole', () => {
    assert.deepEqual(words('LumenTicker'), ['lumen', 'ticker', 'lumenticker']);
    assert.deepEqual(words('PDFMiner'), ['pdf', 'miner', 'pdfminer']);
  });

  it('into pairs of characters if the script has no spaces', () => {
    assert.deepEqual(words('天気予報'), ['天気', '気予', '予報']);
  });

  it('of at most forty letters, whatever a seller writes', () => {
    assert.ok(words('a'.repeat(10_000)).every((word) => word.length <= 40));
  });

  it('leaves out words without meaning, but not the last one of a query', () => {
    assert.deepEqual(terms('the API of the weather'), ['weather']);
    assert.deepEqual(queryTerms('the api'), ['the', 'api']);
  });
});

describe('Words of other scripts', () => {
  it('keep the vowels that they write as marks', () => {
    assert.deepEqual(words('मौसम की जानकारी'), ['मौसम', 'की', 'जानकारी']);
    assert.deepEqual(words('São Paulo, Zürich'), ['sao', 'paulo', 'zurich']);
  });
});
