import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allHits, memorySearch, searchDocument } from '../../../test/support/searchDocuments.ts';
import type { SearchDocument } from './searchDocument.ts';

/** The listing that bought the first place in 0.4.0, and its words without the repetition. */
const STUFFED =
  'Weather weather weather weather weather forecast forecast forecast cheapest best number one';
const PLAIN = 'Weather forecast cheapest best number one';

const QUERIES = [
  'weather',
  'weather forecast',
  'weather forecast for Oslo',
  'Wetter in Berlin morgen',
  'cheapest weather',
  'weather api',
  'rain tomorrow',
];

const honest = [
  'Hourly and 10-day weather forecast for any coordinates. Temperature, wind, humidity.',
  'Current conditions and severe weather alerts for any city',
  'Rain radar and the probability of rain for the next two hours',
  'Exchange rates of 160 currencies',
  'Translate text between 30 languages',
].map((description, n) =>
  searchDocument(`honest ${n}`, n + 1, { description, serviceName: `Service ${n}` }),
);

type Texts = Partial<SearchDocument>;

/** Where one entry with these texts ranks among the honest ones, and how sure the search is. */
async function standing(query: string, texts: Texts) {
  const search = memorySearch();
  for (const each of honest) await search.put(each);
  const document = searchDocument('other', 100, texts);
  await search.put(document);
  const place = (await allHits(search, query)).indexOf('other');
  const outcome = await search.search({ query, filters: {}, limit: 100, cursor: null });
  assert.equal(outcome.kind, 'page');
  const hit = outcome.page.hits.find(({ id }) => id === 'other');
  const { confidence } = search.explain(query)(document, hit?.nearness ?? null);
  return { place, confidence, nearness: hit?.nearness ?? 0 };
}

const REPEATED: readonly (readonly [name: string, texts: Texts, once: Texts])[] = [
  ['words of the description', { description: STUFFED }, { description: PLAIN }],
  [
    'words in other forms',
    { description: 'Weather weathers Weather weathering forecasts forecast' },
    { description: 'Weather forecasts' },
  ],
  [
    'words of the URL',
    {
      url: 'https://a.test/weather/weather/weather-weather_weather?weather=weather',
      description: 'Quotes',
    },
    { url: 'https://a.test/weather', description: 'Quotes' },
  ],
  [
    'words of the inputs',
    { description: 'Quotes', schemaText: 'weather weather\nweather weather\nweather' },
    { description: 'Quotes', schemaText: 'weather' },
  ],
  [
    'words with invisible characters',
    { description: 'Quotes weather wea\u200bther weath\u00ader w\u2060eather \u200dweather' },
    { description: 'Quotes weather' },
  ],
  [
    'words with letters of other scripts',
    { description: 'Quotes weather wеather weаther wеаthеr ѡeather' },
    { description: 'Quotes weather ѡeather' },
  ],
  [
    'words of several tags',
    { description: 'Quotes', tags: ['weather', 'weather weather', 'Weather-weather'] },
    { description: 'Quotes', tags: ['weather'] },
  ],
];

describe('Repetition changes neither rank nor confidence', () => {
  for (const [name, texts, once] of REPEATED) {
    it(name, async () => {
      for (const query of QUERIES) {
        const [repeated, plain] = [await standing(query, texts), await standing(query, once)];
        assert.ok(
          repeated.nearness <= plain.nearness + 1e-3,
          `${query}: ${repeated.nearness} over ${plain.nearness}`,
        );
        assert.ok(repeated.place >= plain.place, `${query}: rank`);
        assert.equal(repeated.confidence, plain.confidence, query);
      }
    });
  }

  it('translations and numbered forms of a word are not nearer to it than the word', async () => {
    const base = await standing('weather', { description: 'Quotes of stocks, weather' });
    for (const description of [
      'Quotes of stocks, weather Wetter 天气 मौसम',
      'Quotes of stocks, weather weather1 weather2 weather3 weather4 weather5',
    ]) {
      const listed = await standing('weather', { description });
      assert.ok(listed.nearness <= base.nearness + 1e-3, `${description}: ${listed.nearness}`);
    }
  });

  it('a translated listing is still found in its language', async () => {
    const { place } = await standing('Wettervorhersage', {
      description: 'Wettervorhersage, weather forecast',
    });
    assert.equal(place, 0);
  });
});
