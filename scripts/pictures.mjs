// Takes the pictures of the documentation in a real editor and writes them to docs/pictures.
// usage: npm run docs -- pictures [--from FOLDER]   (FOLDER: pictures from an earlier run, such as build/pictures)
//
// Each picture is taken by a test that also checks what it shows.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import './explainOptions.mjs';
import { animation } from './animation.mjs';
import { install, requireNode, root, run } from './prepare.mjs';

/** The pictures of a run to keep, and their names. */
const chosen = [
  { from: 'newcomer/1-gated', to: 'add-payment', suite: 'newcomer' },
  { from: 'newcomer/4-paid', to: 'paid', suite: 'newcomer' },
  { from: '07-settlement', to: 'settlement', suite: 'ui' },
  { from: '07-trace', to: 'trace-editor', suite: 'ui' },
  { from: '07-trace-failed', to: 'trace-failed-editor', suite: 'ui' },
  { from: 'access/earnings-light', to: 'earnings-light', suite: 'access' },
  { from: 'access/settlement-dark', to: 'settlement-dark', suite: 'access' },
  { from: 'access/earnings-high-contrast', to: 'earnings-high-contrast', suite: 'access' },
  { from: 'policies-06-attach', to: 'policies-attach', suite: 'policies' },
  { from: 'policies-08-paid', to: 'policies', suite: 'policies' },
  { from: '24-preview', to: 'preview', suite: 'frameworks' },
  { from: '26-walkthrough', to: 'walkthrough', suite: 'frameworks' },
];
/** The pictures of one sequence, which become an animation. */
const moving = {
  to: 'first-payment',
  suite: 'newcomer',
  frames: [
    { from: 'newcomer/0-lens', ms: 2_000 },
    { from: 'newcomer/1-gated', ms: 2_500 },
    { from: 'newcomer/2-installed', ms: 2_000 },
    { from: 'newcomer/3-settled', ms: 3_000 },
    { from: 'newcomer/4-paid', ms: 3_500 },
  ],
};
const mostBytes = 120_000;
const mostMovingBytes = 500_000;
/** The highest quality with a small enough file is used. */
const qualities = [0.86, 0.75, 0.6];

const { values } = parseArgs({ options: { from: { type: 'string' } } });
const tests = join(root, 'test', 'editor');
const editor = join(root, 'build', 'editors', 'newest');
const taken = values.from ?? join(root, 'build', 'pictures', 'documentation');
const kept = join(root, 'docs', 'pictures');

requireNode();
await install(root, tests);
if (values.from === undefined) await take();
await keep();

async function take() {
  mkdirSync(taken, { recursive: true });
  const step = async (...args) => {
    console.log(`+ node ${args.join(' ')}`);
    const env = { ...process.env, EDITOR_DIR: editor, PICTURES: taken };
    await run(process.execPath, args, { env, stdio: 'inherit' });
  };
  await step('scripts/package.mjs');
  await step('test/editor/installEditor.mjs', 'newest', editor);
  for (const suite of new Set(chosen.map((one) => one.suite))) {
    await step('--test', `test/editor/${suite}.ui.mjs`);
  }
}

/** In WebP, a screenshot of text has a quarter of the size and is just as readable. */
async function keep() {
  mkdirSync(kept, { recursive: true });
  // Its packages are installed only now.
  const { openBrowser } = await import('../test/editor/lib/editorServer.mjs');
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    for (const { from, to } of chosen) {
      const source = join(taken, `${from}.png`);
      if (!existsSync(source)) {
        if (values.from === undefined) throw new Error(`${relative(root, source)} was not taken`);
        console.log(`          ${to}.webp stays: that run has no ${from}.png`);
        continue;
      }
      const url = `data:image/png;base64,${readFileSync(source, 'base64')}`;
      const sizes = [];
      for (const quality of qualities) {
        const bytes = Buffer.from(await page.evaluate(encode, { url, quality }), 'base64');
        sizes.push(bytes.length);
        if (bytes.length > mostBytes) continue;
        const file = join(kept, `${to}.webp`);
        writeFileSync(file, bytes);
        console.log(`${String(bytes.length).padStart(8)}  ${relative(root, file)}`);
        break;
      }
      if (sizes.at(-1) > mostBytes) throw new Error(`${to}.webp is over ${mostBytes} bytes`);
    }
    await keepMoving(page);
  } finally {
    await browser.close();
  }
}

/** Combines the pictures of the sequence. */
async function keepMoving(page) {
  const { to, frames } = moving;
  const sources = frames.map(({ from }) => join(taken, `${from}.png`));
  if (!sources.every((source) => existsSync(source))) {
    if (values.from === undefined) throw new Error(`the pictures of ${to} were not taken`);
    console.log(`          ${to}.webp stays: that run lacks some of its pictures`);
    return;
  }
  const pictures = [];
  for (const source of sources) {
    const url = `data:image/png;base64,${readFileSync(source, 'base64')}`;
    pictures.push(Buffer.from(await page.evaluate(encode, { url, quality: 0.7 }), 'base64'));
  }
  // The size is in the header of a PNG.
  const [first] = sources.map((source) => readFileSync(source));
  const [width, height] = [first.readUInt32BE(16), first.readUInt32BE(20)];
  const made = animation(
    frames.map(({ ms }, index) => ({ ms, picture: pictures[index] })),
    width,
    height,
  );
  if (made.length > mostMovingBytes) throw new Error(`${to}.webp is over ${mostMovingBytes} bytes`);
  const file = join(kept, `${to}.webp`);
  writeFileSync(file, made);
  console.log(`${String(made.length).padStart(8)}  ${relative(root, file)}`);
}

/** Runs in a page. */
async function encode({ url, quality: asked }) {
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  canvas.getContext('2d').drawImage(picture, 0, 0);
  return canvas.toDataURL('image/webp', asked).split(',')[1];
}
