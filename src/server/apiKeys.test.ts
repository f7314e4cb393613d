import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findApiKey, parseApiKeys, readApiKeysFile } from './apiKeys.ts';

const ONE = 'a1'.repeat(32);
const OTHER = 'b2'.repeat(32);
const SOURCE = 'API_KEYS';
const TEXT = `# sellers\nshop ${ONE} requests=600 fees=5000000\n\nblog ${OTHER}\n`;

describe('[finding: O8] API keys', () => {
  it('are one a line, with a name and limits of their own', () => {
    const { keys, problems } = parseApiKeys(TEXT, SOURCE);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      keys.map(({ name, requestsPerMinute, feesPerDayStroops }) => [
        name,
        requestsPerMinute,
        feesPerDayStroops,
      ]),
      [
        ['shop', 600, 5_000_000n],
        ['blog', null, null],
      ],
    );
    assert.deepEqual(parseApiKeys(TEXT.replaceAll('\n', ';'), SOURCE).keys, keys);
  });

  it('are found by the header that holds one, and by nothing else', () => {
    const { keys } = parseApiKeys(TEXT, SOURCE);
    assert.equal(findApiKey(keys, `Bearer ${ONE}`)?.name, 'shop');
    assert.equal(findApiKey(keys, `bearer  ${OTHER}`)?.name, 'blog');
    for (const header of [
      undefined,
      '',
      ONE,
      `Basic ${ONE}`,
      `Bearer ${ONE}x`,
      `Bearer ${ONE.slice(1)}`,
      `Bearer ${ONE.toUpperCase()}`,
      `Bearer ${ONE} ${OTHER}`,
    ]) {
      assert.equal(findApiKey(keys, header), undefined, header);
    }
    assert.equal(findApiKey([], `Bearer ${ONE}`), undefined);
  });

  it('that are short, unnamed, repeated or misspelt are all reported, and no key is repeated in that', () => {
    const wrong = [
      'shop short',
      `Shop! ${ONE}`,
      `shop ${ONE} fee=1`,
      `shop ${ONE} requests=0`,
      `good ${ONE}`,
      `good ${OTHER}`,
      `twin ${ONE}`,
    ].join('\n');
    const { keys, problems } = parseApiKeys(wrong, SOURCE);
    assert.equal(problems.length, 6, problems.join('\n'));
    assert.deepEqual(
      keys.map(({ name }) => name),
      ['good'],
    );
    for (const secret of [ONE, OTHER]) assert.ok(!problems.join().includes(secret));
    assert.match(parseApiKeys('# none', SOURCE).problems[0] ?? '', /has no API key/);
  });

  it('are read from a file only if nobody else can read it', {
    skip: process.platform === 'win32' ? 'modes do not show it on Windows' : false,
  }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-keys-'));
    try {
      const file = join(folder, 'api-keys');
      writeFileSync(file, TEXT, { mode: 0o600 });
      assert.equal(readApiKeysFile(file).keys.length, 2);
      chmodSync(file, 0o640);
      assert.match(readApiKeysFile(file).problems[0] ?? '', /can be read by others.*chmod 600/);
      assert.match(readApiKeysFile(join(folder, 'none')).problems[0] ?? '', /ENOENT/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
