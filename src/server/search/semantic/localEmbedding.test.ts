import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { localEmbedding } from '../../../../test/support/localEmbedding.ts';
import { unit } from './quantized.ts';

const embedding = localEmbedding();

function near(a: string, b: string): number {
  const [x, y] = [unit(embedding.embedText(a)), unit(embedding.embedText(b))];
  return x.reduce((sum, part, n) => sum + part * (y[n] ?? 0), 0);
}

describe('The built-in embedding matches more than equal words', () => {
  it('misspelt words are near the intended word', () => {
    for (const [misspelt, meant, other] of [
      ['forcast', 'forecast', 'forum'],
      ['transalte', 'translate', 'transit'],
      ['curency', 'currency', 'currant'],
      ['speach', 'speech', 'search'],
      ['screnshot', 'screenshot', 'screen door'],
    ] as const) {
      assert.ok(near(misspelt, meant) > 0.2, `${misspelt}: ${near(misspelt, meant)}`);
      assert.ok(near(misspelt, meant) > near(misspelt, other), misspelt);
    }
  });

  it('related words are nearer than unrelated ones', () => {
    for (const [word, related, unrelated] of [
      ['umbrella', 'rain', 'invoice'],
      ['bitcoin', 'cryptocurrency', 'recipe'],
      ['picture', 'photo', 'court'],
      ['airline', 'flight', 'grammar'],
      ['medicine', 'pill', 'parcel'],
    ] as const) {
      assert.ok(near(word, related) > 0.2, word);
      assert.ok(near(word, related) > near(word, unrelated) + 0.15, word);
    }
  });

  it('unrelated texts are below its floor', () => {
    assert.ok(near('weather forecast', 'iban validation') < embedding.floor);
    assert.ok(near('chess engine', 'soil moisture') < embedding.floor);
  });
});

describe('The built-in embedding is deterministic', () => {
  it('a text has the same embedding of 1,024 finite dimensions in every instance', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const vector = embedding.embedText(text);
        assert.equal(vector.length, 1024);
        assert.ok(vector.every(Number.isFinite));
        assert.deepEqual(localEmbedding().embedText(text), vector);
      }),
    );
  });

  it('it is the same across versions of Node: some dimensions have their known values', () => {
    const vector = embedding.embedText('Weather forecast for Lisbon');
    const filled = vector.reduce((count, part) => count + (part === 0 ? 0 : 1), 0);
    const hash = vector.reduce((sum, part, n) => sum + Math.round(part * 1e4) * (n + 1), 0);
    assert.deepEqual({ filled, hash }, { filled: 526, hash: 2717074 });
  });
});

describe('The built-in embedding knows words of several languages', () => {
  const weather = 'Weather forecast for any city: temperature, rain and wind, hour by hour';
  const others = [
    'Translates texts between forty languages',
    'Live prices of stocks and currencies',
    'Headlines of newspapers by country and topic',
    'Generates pictures from a description',
    'Books hotels and flights',
  ];

  it('German, Spanish, Chinese and Hindi queries find the weather', () => {
    for (const query of [
      'Wettervorhersage für morgen',
      'wie wird das Wetter in Berlin',
      'pronóstico del clima en Madrid',
      'lluvia y temperatura de hoy',
      '北京天气预报',
      'आज का मौसम',
    ]) {
      const closest = Math.max(...others.map((other) => near(query, other)));
      assert.ok(near(query, weather) > closest, `${query}: ${near(query, weather)}, ${closest}`);
    }
  });

  it('it knows the meaning of words that are in no topic', () => {
    for (const [word, related, unrelated] of [
      ['sofa', 'couch', 'atom'],
      ['violin', 'orchestra', 'plumbing'],
      ['lawsuit', 'attorney', 'glacier'],
    ] as const) {
      assert.ok(near(word, related) > near(word, unrelated) + 0.1, word);
    }
  });
});
