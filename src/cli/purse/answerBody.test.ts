import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { checkDisplay, readBody } from './answerBody.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-x402-bodies-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const source = { url: new URL('http://seller/x'), call: 'c'.repeat(64), isTool: false };
const plain = { textOnly: false, folder: undefined };
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

const read = (
  body: ConstructorParameters<typeof Response>[0],
  type: string | undefined,
  display: Parameters<typeof readBody>[1] = plain,
) =>
  readBody(
    new Response(body, { headers: type === undefined ? {} : { 'content-type': type } }),
    display,
    source,
  );
const textOf = async (bytes: Uint8Array, type: string) =>
  (await read(bytes as Uint8Array<ArrayBuffer>, type)).text;

describe('A paid response', () => {
  it('that is text is decoded by its byte order mark, its charset, or the one named inside', async () => {
    assert.equal(
      await textOf(Buffer.from('caf\xe9', 'latin1'), 'text/plain; charset=iso-8859-1'),
      'café',
    );
    assert.equal(await textOf(Buffer.from('caf\xe9', 'latin1'), 'text/plain'), 'café');
    assert.equal(await textOf(Buffer.from('é', 'utf16le'), 'text/plain; charset="UTF-16LE"'), 'é');
    assert.equal(await textOf(Buffer.from('\ufeffé', 'utf16le'), 'text/csv'), 'é');
    const sjis = Buffer.from([0x93, 0xfa, 0x96, 0x7b]);
    assert.equal(await textOf(sjis, 'text/plain; charset=shift_jis'), '日本');
    const xml = Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9</a>', 'latin1');
    assert.match((await textOf(xml, 'application/xml')) ?? '', /<a>é<\/a>/);
    assert.equal(await textOf(Buffer.from('é'), 'application/json; charset=unheard-of'), 'é');
    assert.equal(await textOf(Buffer.from('{}'), 'application/problem+json'), '{}');
  });

  it('that is a picture or sound is a part of its own, if its bytes are what it says', async () => {
    const picture = await read(PNG, 'image/png');
    assert.deepEqual(picture.media, [
      { kind: 'image', mimeType: 'image/png', data: PNG.toString('base64') },
    ]);
    assert.equal(picture.text, null);
    assert.equal((await read(PNG, undefined)).media[0]?.kind, 'image');
    const sound = await read(Buffer.from([0x49, 0x44, 0x33, 0]), 'audio/mpeg');
    assert.deepEqual([sound.media[0]?.kind, sound.media[0]?.mimeType], ['audio', 'audio/mpeg']);
    const fake = await read(Buffer.from([1, 0, 0xff]), 'image/png');
    assert.equal(fake.media[0]?.kind, 'resource');
    assert.equal((await read('<svg/>', 'image/svg+xml')).text, '<svg/>');
  });

  it('of any other type is an embedded resource, or a file in the folder that the user named', async () => {
    const pdf = Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 0xff]);
    const embedded = await read(pdf, 'application/pdf');
    assert.deepEqual(embedded.media, [
      { kind: 'resource', mimeType: 'application/pdf', data: pdf.toString('base64') },
    ]);
    const saved = await read(pdf, 'application/pdf', { textOnly: false, folder });
    assert.deepEqual(saved.media, []);
    assert.match(saved.file ?? '', /-cccccccc\.pdf$/);
    assert.deepEqual(readFileSync(saved.file ?? ''), pdf);
    assert.equal(statSync(saved.file ?? '').mode & 0o077, 0);
  });

  it('is bounded: long text is cut and saved, and a picture that is too large is not shown in part', async () => {
    const long = await read('x'.repeat(70_000), 'text/plain');
    assert.deepEqual([long.bytes, long.cut, long.text?.length], [65_536, 'too_long', 65_536]);
    const kept = await read('x'.repeat(70_000), 'text/plain', { textOnly: false, folder });
    assert.equal(kept.cut, 'too_long');
    assert.equal(readFileSync(kept.file ?? '', 'utf8').length, 70_000);
    const large = await read(Buffer.concat([PNG, Buffer.alloc(4_000_000)]), 'image/png');
    assert.deepEqual([large.text, large.media, large.cut], [null, [], 'too_long']);
    assert.ok(readdirSync(folder).length >= 2);
  });

  it('of a tool has its pictures as parts, and the rest as JSON', async () => {
    const data = PNG.toString('base64');
    const result = {
      isError: false,
      content: [
        { type: 'text', text: 'a map' },
        { type: 'image', mimeType: 'image/png', data },
      ],
    };
    const body = await readBody(Response.json(result), plain, { ...source, isTool: true });
    assert.deepEqual(body.media, [{ kind: 'image', mimeType: 'image/png', data }]);
    assert.deepEqual(JSON.parse(body.text ?? '').content[0], { type: 'text', text: 'a map' });
    assert.ok(!body.text?.includes(data));
  });
});

describe('A resource that a client cannot show', () => {
  it('is refused by its declared type, unless a folder was named', () => {
    const textOnly = { textOnly: true, folder: undefined };
    for (const type of ['image/png', 'audio/mpeg', 'application/pdf', 'Video/MP4; codecs=x']) {
      assert.throws(() => checkDisplay(type, textOnly), /shows only text/, type);
      checkDisplay(type, { textOnly: true, folder: '/tmp' });
      checkDisplay(type, { textOnly: false, folder: undefined });
    }
    for (const type of [
      'text/html',
      'application/ld+json; charset=utf-8',
      '',
      undefined,
      5,
      'odd',
    ]) {
      checkDisplay(type, textOnly);
    }
  });
});
