import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './folder.ts';

/** What a program needs of the network. The key is one of a test network in memory. */
export interface Purchase {
  readonly address: string;
  /** PKCS #8, base64. */
  readonly key: string;
  readonly rpcUrl: string;
  readonly url: string;
}

const README = readFileSync(join(projectRoot, 'src', 'sdk', 'README.md'), 'utf8');
const EXAMPLES = [...README.matchAll(/(?:<!-- given: (.*) -->\n)?```js\n([\s\S]*?)^```$/gm)].map(
  ([, given = '', text = '']) => ({ given, text }),
);
const [FIRST] = EXAMPLES;

/** The examples of the package's README, each as a TypeScript program whose body is a function. */
export function readmePrograms(): readonly string[] {
  return EXAMPLES.map(({ given, text }) => {
    const [head = ''] = text.split('\n');
    return `${head}\n${given}\nexport async function main() {${text.slice(head.length)}}\n`;
  });
}

/** The first example of the README, with the addresses of this run and a key of the Web Crypto API. */
function example({ rpcUrl, url }: Purchase): { readonly head: string; readonly body: string } {
  const text = FIRST?.text ?? '';
  const [head = ''] = text.split('\n');
  const body = text.slice(head.length);
  const [rpc, paid] = ['http://127.0.0.1:8000/rpc', 'http://127.0.0.1:4022/weather/Lima'];
  if (!head.startsWith('import {') || !body.includes(rpc) || !body.includes(paid)) {
    throw new Error('the first example of src/sdk/README.md has another form');
  }
  return { head, body: body.replace(rpc, rpcUrl).replace(paid, url) };
}

function given({ address, key }: Purchase): string {
  return `
const address = ${JSON.stringify(address)};
const pkcs8 = Uint8Array.from(atob(${JSON.stringify(key)}), (one) => one.charCodeAt(0));
const key = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign']);
const sign = async (hash) => new Uint8Array(await crypto.subtle.sign('Ed25519', key, hash));`;
}

/** `{ status, body }` of what was bought. */
const RESULT = `
const result = JSON.stringify({ status: response.status, body: await response.text() });`;

/** For runtimes with ES modules: prints the result. */
export function moduleProgram(purchase: Purchase): string {
  const { head, body } = example(purchase);
  return `${head}\n${given(purchase)}\n${body}\n${RESULT}\nconsole.log(result);\n`;
}

/** The same in CommonJS. */
export function commonProgram(purchase: Purchase): string {
  const { head, body } = example(purchase);
  const required = head.replace(/^import (\{.*\}) from ('.*');$/, 'const $1 = require($2);');
  return `${required}\n(async () => {${given(purchase)}\n${body}\n${RESULT}\nconsole.log(result);\n})();\n`;
}

/** The same for a page, which hands the result to the server that it came from. */
export function pageProgram(purchase: Purchase): string {
  const { head, body } = example(purchase);
  return `${head}
try {${given(purchase)}\n${body}\n${RESULT}
  await fetch('/result', { method: 'POST', body: result });
} catch (error) {
  await fetch('/result', { method: 'POST', body: String(error?.stack ?? error) });
}
`;
}

/** A process that loads the package both ways has one set of classes. */
export const BOTH_WAYS = `
import { createRequire } from 'node:module';
import * as imported from 'svc-x402-sdk';
const required = createRequire(import.meta.url)('svc-x402-sdk');
const differ = Object.keys(required).filter((name) => imported[name] !== required[name]);
console.log(JSON.stringify({ differ, count: Object.keys(required).length }));
`;
