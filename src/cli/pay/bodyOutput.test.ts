import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CliError } from '../cliError.ts';
import { fileOutput, type OutputStream, streamOutput, textOutput } from './bodyOutput.ts';
import { BodyError } from './readBody.ts';

/** A standard stream that keeps what is written. */
function stream(isTTY: boolean) {
  const written: Buffer[] = [];
  const to: OutputStream = {
    isTTY,
    write(bytes, done) {
      written.push(Buffer.from(bytes));
      done();
      return true;
    },
  };
  return { to, bytes: () => Buffer.concat(written) };
}

async function printed(isTTY: boolean, type: string, pieces: readonly (string | Uint8Array)[]) {
  const { to, bytes } = stream(isTTY);
  const output = streamOutput(to, type);
  for (const piece of pieces) await output.write(Buffer.from(piece));
  await output.end();
  return bytes();
}

describe('M10: a body on a terminal', () => {
  for (const [name, pieces, shown] of [
    [
      'is escaped',
      ['\u001b[1A\u001b[2KGABC paid 1 USDC'],
      '\\u{1b}[1A\\u{1b}[2KGABC paid 1 USDC\n',
    ],
    ['is escaped over the end of a piece', ['\u001b', '[2K'], '\\u{1b}[2K\n'],
    [
      'keeps a letter that two pieces share',
      [Buffer.from([0xe5, 0xa4]), Buffer.from([0xa9])],
      '天\n',
    ],
    ['keeps line ends of Windows as line ends', ['a\r', '\nb\r\n'], 'a\nb\n'],
    ['escapes a return without a line end', ['paid 5\r', 'paid 1\r'], 'paid 5\\u{d}paid 1\\u{d}\n'],
    ['gets a line end, even without a byte', [], '\n'],
  ] as const) {
    it(name, async () => {
      assert.equal((await printed(true, 'text/plain', pieces)).toString(), shown);
    });
  }

  it('is read by its charset, and as UTF-8 by one that nobody knows', async () => {
    const latin = Buffer.from('Zürich', 'latin1');
    const read = await printed(true, 'text/plain; charset=iso-8859-1', [latin]);
    assert.equal(read.toString(), 'Zürich\n');
    const unknown = await printed(true, 'text/plain; charset=klingon', ['Zürich']);
    assert.equal(unknown.toString(), 'Zürich\n');
  });
});

describe('A body in a pipe', () => {
  it('has every byte of the response', async () => {
    const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x00, 0xff]);
    assert.deepEqual(await printed(false, 'image/png', [image]), image);
  });

  it('ends with a line end if it is a text', async () => {
    for (const type of [
      '',
      'text/plain',
      'application/json; charset=utf-8',
      'application/problem+json',
    ]) {
      assert.equal((await printed(false, type, ['{}'])).toString(), '{}\n');
      assert.equal((await printed(false, type, ['{}\n'])).toString(), '{}\n');
    }
  });

  it('that nobody reads any more is a failure, not an exception', async () => {
    const closed: OutputStream = {
      write(_, done) {
        done(new Error('write EPIPE'));
        return false;
      },
    };
    await assert.rejects(streamOutput(closed, '').write(Buffer.from('a')), BodyError);
  });
});

describe('A body as text', () => {
  it('is decoded over the ends of its pieces', async () => {
    const output = textOutput('application/json');
    for (const piece of [[0xe5, 0xa4], [0xa9], [0xe5]]) await output.write(Buffer.from(piece));
    await output.end();
    assert.equal(output.text(), '天\ufffd');
  });
});

describe('A body in a file', () => {
  function inFolder(run: (folder: string) => Promise<void>) {
    return async () => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-x402-body-'));
      try {
        await run(folder);
      } finally {
        rmSync(folder, { recursive: true });
      }
    };
  }

  it(
    'replaces the content of the file, byte for byte',
    inFolder(async (folder) => {
      const path = join(folder, 'image.png');
      writeFileSync(path, 'something older and longer');
      const output = await fileOutput(path);
      assert.equal(readFileSync(path, 'utf8'), 'something older and longer');
      await output.write(Buffer.from([0, 255]));
      await output.write(Buffer.from([13, 10]));
      await output.end();
      assert.deepEqual(readFileSync(path), Buffer.from([0, 255, 13, 10]));
    }),
  );

  it(
    'may be empty',
    inFolder(async (folder) => {
      const path = join(folder, 'empty');
      writeFileSync(path, 'something older');
      await (await fileOutput(path)).end();
      assert.equal(readFileSync(path, 'utf8'), '');
    }),
  );

  it(
    'is not made without a response, and an older one keeps its content',
    inFolder(async (folder) => {
      const [made, older] = [join(folder, 'made'), join(folder, 'older')];
      writeFileSync(older, 'older');
      for (const path of [made, older]) await (await fileOutput(path)).abandon();
      assert.equal(existsSync(made), false);
      assert.equal(readFileSync(older, 'utf8'), 'older');
    }),
  );

  it(
    'that cannot be opened is refused before anything is paid',
    inFolder(async (folder) => {
      await assert.rejects(fileOutput(join(folder, 'none', 'file')), (error) => {
        assert.ok(error instanceof CliError);
        assert.match(error.message, /cannot be written.*No money moved\.$/);
        return true;
      });
    }),
  );
});
