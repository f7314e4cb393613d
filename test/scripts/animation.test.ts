import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { animation } from '../../scripts/animation.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const still = readFileSync(join(root, 'docs/pictures/paid.webp'));
const other = readFileSync(join(root, 'docs/pictures/settlement.webp'));

/** Names and contents of the chunks of a RIFF file. */
function chunks(file: Buffer, from: number): { readonly name: string; readonly data: Buffer }[] {
  const found = [];
  for (let at = from; at < file.length; ) {
    const length = file.readUInt32LE(at + 4);
    found.push({
      name: file.toString('latin1', at, at + 4),
      data: file.subarray(at + 8, at + 8 + length),
    });
    at += 8 + length + (length % 2);
  }
  return found;
}

describe('a moving picture', () => {
  const frames = [
    { picture: still, ms: 1_500 },
    { picture: other, ms: 2_500 },
  ];
  const moving = animation(frames, 1280, 860);

  it('is one file of its stated length, with each picture for its time', () => {
    assert.equal(moving.toString('latin1', 0, 4), 'RIFF');
    assert.equal(moving.readUInt32LE(4), moving.length - 8);
    const parts = chunks(moving, 12);
    assert.deepEqual(
      parts.map(({ name }) => name),
      ['VP8X', 'ANIM', 'ANMF', 'ANMF'],
    );
    const [head, , first, second] = parts;
    assert.equal(head?.data.readUIntLE(4, 3), 1279);
    assert.equal(head?.data.readUIntLE(7, 3), 859);
    assert.equal(first?.data.readUIntLE(12, 3), 1_500);
    assert.equal(second?.data.readUIntLE(12, 3), 2_500);
    assert.equal(first?.data.toString('latin1', 16, 19), 'VP8');
  });

  it('is not created from anything else', () => {
    assert.throws(() => animation([{ picture: Buffer.from('GIF89a, and so on'), ms: 1 }], 1, 1));
  });

  it('shows the first payment on the extension’s page', () => {
    const [, path = ''] =
      /\((\.\.\/\.\.\/docs\/pictures\/first-payment\.webp)\)/.exec(
        readFileSync(join(root, 'src/extension/README.md'), 'utf8'),
      ) ?? [];
    const file = join(root, 'src/extension', path);
    assert.ok(path !== '' && existsSync(file));
    const shown = chunks(readFileSync(file), 12).filter(({ name }) => name === 'ANMF');
    assert.ok(shown.length >= 4, `${shown.length} pictures`);
  });
});
