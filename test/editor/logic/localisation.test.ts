import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { requestPage } from '../../../src/extension/request/requestPage.ts';
import { html } from '../../../src/extension/webviewPage.ts';
import { language, t, translateWith } from '../../../src/extension/words/index.ts';
import { shownTexts } from './shownTexts.ts';

type Texts = Readonly<Record<string, string>>;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const texts = (name: string) => JSON.parse(read(name)) as Texts;

/** Names, and texts that programs read: they are the same in every language. */
const NOT_TRANSLATED: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  // A program for a thread.
  'routes/codeThread.ts': [/^\nconst \{ parentPort, workerData \}/],
  'agents/budgetForm.ts': [/^sliding \w+$/],
  'editor/app.ts': [/^service/],
  'editor/commandTable.ts': ['Svc: {0}'],
  'editor/installOffer.ts': ['Svc'],
  'editor/paymentCodeCommands.ts': ['Express', 'Fastify', 'Hono'],
  'editor/policyCommands/smartAccount.ts': ['Svc x402 (embedded network)'],
  'editor/previewChange.ts': ['Svc x402'],
  'editor/requestPanel/startCommand.ts': ['node {0}'],
  'editor/requestPanel/startServer.ts': ['x402 server'],
  'editor/routeAtHand.ts': ['Express', 'Fastify', 'Hono', /^Next\.js \w+ Router$/],
  'editor/serviceCommands.ts': ['Horizon', 'Svc x402'],
  'editor/statusBar.ts': [
    'Svc x402',
    'Svc x402: {0}',
    /^\$\([\w~{}-]+\) x402( local| testnet)?( :\{1\})?$/,
  ],
  'editor/views/endpointsView.ts': [
    /^\{0\} (url|price|badge|count|activity|upstream|payTo)$/,
    'sale {0}',
  ],
  'http/exchange.ts': ['{0} is not an HTTP address'],
  'ledgerReads/readKeyPolicies.ts': ['a branded address always decodes'],
  'mcpClient/clientConfigurations.ts': [
    ...['Claude Code', 'Claude Desktop', 'Cursor', 'VS Code', 'Windsurf'],
    'OpenAI Agents SDK',
    /^claude mcp add-json /,
  ],
  'mcpClient/launcher.ts': [/^\/\/ Written by Svc x402/],
  'policies/passkeyPage.ts': ['Bearer {0}'],
  // Members of x402.yaml.
  'portSale/saleFile.ts': [/^(upstream|payTo|facilitator|otherwise): \{0\}$/, /^# {3}GET \//],
  'request/answerShown.ts': ['{0} kB'],
  'request/builtRequest.ts': ['text/plain; charset=utf-8'],
  'request/copyAs.ts': [/^ {2}\w+: \{0\},$/, /^await pay\(/, /^\/\/ npm install svc-x402/],
  'request/terms.ts': ['MPP (Machine Payments Protocol)'],
  'server/listeningPorts.ts': [/^Get-CimInstance /],
  'server/openPorts.ts': [/^Get-CimInstance /],
  'serviceStatus.ts': ['Horizon'],
  'settings/projectSettings.ts': ['Horizon'],
  'webviewPage.ts': [/^default-src 'none'/, /^ img-src data:/],
};

const sources = readdirSync(join(root, 'src/extension'), { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .sort();

function textsOf(name: string, text: string) {
  return shownTexts(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
}

const marked = new Set<string>();
const bare: { readonly file: string; readonly text: string }[] = [];
for (const file of sources) {
  for (const { kind, text } of textsOf(file, read(`src/extension/${file}`))) {
    if (kind === 'call') marked.add(text);
    else bare.push({ file, text });
  }
}

/** What has to be in a translation as it does in the English text. */
function fixed(text: string): readonly string[] {
  return [...text.matchAll(/\{\d\}|\$\([\w~-]+\)|\(command:[^)]*\)|`[^`]*`/g)]
    .map(([one]) => one)
    .sort();
}

function assertSameParts(english: Texts, other: Texts): void {
  for (const [key, text] of Object.entries(english)) {
    assert.deepEqual(fixed(other[key] ?? ''), fixed(text), key);
    assert.notEqual(other[key]?.trim() ?? '', '', key);
  }
}

describe('Every visible text of the extension', () => {
  it('is translated, except names', () => {
    const known = ({ file, text }: { file: string; text: string }) =>
      NOT_TRANSLATED[file]?.some((one) =>
        typeof one === 'string' ? one === text : one.test(text),
      );
    assert.deepEqual(
      bare.filter((one) => !known(one)),
      [],
    );
    assert.ok(marked.size > 600, `${marked.size} texts`);
  });

  it('the list of names has no obsolete ones', () => {
    for (const [file, names] of Object.entries(NOT_TRANSLATED)) {
      for (const name of names) {
        const used = bare.some(
          (one) =>
            one.file === file &&
            (typeof name === 'string' ? one.text === name : name.test(one.text)),
        );
        assert.ok(used, `${file}: ${name}`);
      }
    }
  });

  it('is found if it is not translated', () => {
    const found = (text: string) => textsOf('one.ts', text).map(({ kind }) => kind);
    assert.deepEqual(found("window.showInformationMessage('The service has started.');"), ['bare']);
    assert.deepEqual(found(['say(`$', '{count} endpoints`);'].join('')), ['bare']);
    assert.deepEqual(found("say(ok ? 'Use' : t('Ignore'));"), ['bare', 'call']);
    assert.deepEqual(found("log.info('The service has started.');"), []);
  });

  it('is in the English bundle and in the German one, with the same parts', () => {
    const english = texts('l10n/bundle.l10n.json');
    const german = texts('l10n/bundle.l10n.de.json');
    assert.deepEqual(Object.keys(english).sort(), [...marked].sort());
    assert.deepEqual(Object.keys(german).sort(), [...marked].sort());
    for (const [key, text] of Object.entries(english)) assert.equal(text, key);
    assertSameParts(english, german);
  });

  it('is passed from the extension to the pages’ scripts, which have no texts of their own', () => {
    for (const script of ['media/request.js', 'media/earnings.js']) {
      const own = textsOf(script, read(script)).map(({ text }) => text);
      assert.deepEqual(own, [], script);
    }
    const page = requestPage({ nonce: 'n', source: 's', script: 'a', style: 'b' });
    const [, held = ''] = /data-words="([^"]*)"/.exec(page) ?? [];
    const words = JSON.parse(held.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as Texts;
    const script = read('media/request.js');
    for (const [, name = ''] of script.matchAll(/say\('(\w+)'/g)) assert.ok(name in words, name);
    for (const group of ['query', 'headers']) {
      for (const [, part = ''] of script.matchAll(/say\(`\$\{group\}(\w+)`/g)) {
        assert.ok(`${group}${part}` in words, `${group}${part}`);
      }
    }
  });
});

describe('Every text of the manifest', () => {
  const manifest = JSON.parse(read('package.json')) as Record<string, unknown>;
  const english = texts('package.nls.json');
  const german = texts('package.nls.de.json');
  /** Members of a contribution that editors show. */
  const SHOWN =
    /^(title|shortTitle|label|name|contents|description|markdownDescription|patternErrorMessage|altText|displayName|userDescription)$/;
  /** What agents read, the name of the extension, and programs' names of tools. */
  const PLAIN = new Set(['contributes.viewsContainers', 'contributes.configuration.title']);

  function shown(value: unknown, path: string, found: Map<string, string>): Map<string, string> {
    if (typeof value !== 'object' || value === null || PLAIN.has(path)) return found;
    for (const [key, member] of Object.entries(value)) {
      const place = `${path}.${key}`;
      if (/\.(inputSchema|name)$/.test(place) && /languageModelTools/.test(place)) continue;
      const isText = SHOWN.test(key) || /\.enumDescriptions\.\d+$/.test(place);
      if (isText && typeof member === 'string' && !PLAIN.has(place)) found.set(place, member);
      else shown(member, place, found);
    }
    return found;
  }

  const used = new Map([
    ...shown(manifest['contributes'], 'contributes', new Map()),
    ...shown(manifest['capabilities'], 'capabilities', new Map()),
  ]);

  it('has a key, which both languages know', () => {
    const keys = [...used].map(([place, text]) => {
      const key = /^%([\w.-]+)%$/.exec(text)?.[1];
      assert.ok(key !== undefined, `${place}: ${text}`);
      assert.ok(key in english, key);
      return key;
    });
    assert.ok(keys.length > 120, `${keys.length} texts`);
    assert.deepEqual([...new Set(keys)].sort(), Object.keys(english).sort());
    assert.deepEqual(Object.keys(german).sort(), Object.keys(english).sort());
    assertSameParts(english, german);
  });

  it('names the folder of the other texts, which editors support from 1.73 on', () => {
    assert.equal(manifest['l10n'], './l10n');
    assert.match(JSON.stringify(manifest['engines']), /"vscode":"\^1\.80\.0"/);
  });
});

describe('The translation', () => {
  afterEach(() => translateWith('en', undefined));

  it('is the English text if there is no other, with values in their places', () => {
    assert.equal(t('{1} of {0}: {2}', 'a', 2, 3n), '2 of a: 3');
    assert.equal(t('{0} and {1}', 'only'), 'only and {1}');
    assert.equal(language(), 'en');
  });

  it('uses the text of the language, and never an inherited property', () => {
    translateWith('de', { 'Hello {0}': 'Hallo {0}' });
    assert.equal(t('Hello {0}', '{1}'), 'Hallo {1}');
    assert.equal(t('toString'), 'toString');
    assert.equal(language(), 'de');
  });

  it('sets the language of pages, escaped', () => {
    translateWith('de', { 'Test payment': 'A "<b>" & c' });
    const page = requestPage({ nonce: 'n', source: 's', script: 'a', style: 'b' });
    assert.match(page, /<html lang="de">/);
    assert.ok(page.includes(`<h1>${html('A "<b>" & c')}</h1>`));
    assert.doesNotMatch(page, /<b>/);
  });
});
