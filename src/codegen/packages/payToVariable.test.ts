import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addPayment } from '../change/addPayment.ts';
import { sourceInProject, writingFacts } from '../change/projectFacts.ts';
import { removePayment } from '../change/removePayment.ts';
import { applyEdits } from '../source/edit.ts';

const PAY_TO = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
const FILE = '/p/src/app.ts';
const APP =
  "import express from 'express';\nconst app = express();\napp.get('/a', (q, r) => r.json({}));\napp.get('/b', (q, r) => r.json({}));\n";

async function sold(text: string, others: Readonly<Record<string, string>>, at: string) {
  const texts: Record<string, string> = { '/p/package.json': '{}', [FILE]: text, ...others };
  const files = {
    exists: async (path: string) => path in texts,
    read: async (path: string) => texts[path],
  };
  const { source, project } = await sourceInProject(FILE, text, files);
  const facts = await writingFacts(FILE, project, files);
  const terms = { price: '0.01', payTo: PAY_TO, facilitatorUrl: 'http://127.0.0.1:4021' };
  const result = addPayment({ ...source, ...facts, ...terms, offset: text.indexOf(at) });
  assert.ok(result.ok);
  return { text: applyEdits(text, result.edits), notes: result.notes };
}

describe('the account that is paid is read from the environment where the project does so', () => {
  it('the variable of the list of variables, with the address as what else is paid', async () => {
    const { text, notes } = await sold(
      APP,
      { '/p/.env.example': '# Who is paid\nPAY_TO=\n' },
      "'/a'",
    );
    assert.match(text, /payToAddress:\s+process\.env\.PAY_TO \?\?\s+'GDVEU3DD/);
    assert.match(text, /The account that is paid: the one in PAY_TO, or else this one\./);
    assert.match(notes[0]?.sentence ?? '', /^GET \/a pays the address in PAY_TO, or else GDVEU3DD/);
    // A second payment of the same account has the same setting, and the text is restored.
    const two = await sold(text, {}, "'/b'");
    assert.equal(two.text.match(/GDVEU3DD/g)?.length, 1);
    assert.ok(two.notes.every(({ kind }) => kind === 'information'));
    let left = two.text;
    for (const at of ["'/b', (q", "'/a', (q"]) {
      const result = removePayment({ path: 'src/app.ts', text: left, offset: left.indexOf(at) });
      assert.ok(result.ok);
      left = applyEdits(left, result.edits);
    }
    assert.equal(left, APP);
  });

  it('the variable that the file itself reads, in its own spelling', async () => {
    const own = `${APP}const seller = process.env['SELLER_ADDRESS'];\n`;
    const { text } = await sold(own, {}, "'/a'");
    assert.match(text, /payToAddress:\s+process\.env\['SELLER_ADDRESS'\] \?\?\s+'GDVEU3DD/);
  });

  it('no other variable, and no file with values', async () => {
    for (const others of [
      { '/p/.env.example': 'PORT=1\nPAYMENT_SECRET=\nSTELLAR_NETWORK=testnet\n' },
      { '/p/.env': `PAY_TO=${PAY_TO}\n` },
    ]) {
      const { text } = await sold(APP, others, "'/a'");
      assert.match(text, /payToAddress: 'GDVEU3DD/);
    }
  });
});
