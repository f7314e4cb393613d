import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import ts from 'typescript';
import type { Example } from './readExamples.ts';

/** The addresses in examples: those that `svc-x402 dev` prints. */
export interface Addresses {
  readonly 'http://127.0.0.1:8000/rpc': string;
  readonly 'http://127.0.0.1:4021': string;
  readonly 'http://127.0.0.1:4022/weather/Lima': string;
  readonly 'http://127.0.0.1:4022/words/37': string;
}

/** Where an example finds what it has been given. */
const GIVEN = 'svcX402ExampleGiven';
let count = 0;

/** Returns the complaints of the compiler about examples, as programs of a folder. */
export function typeCheck(
  examples: readonly Example[],
  declarationsOf: (example: Example) => string,
  folder: string,
): readonly string[] {
  const files = examples.map((example, index) => {
    const path = join(folder, `checked-${index}-${example.of}.mts`);
    writeFileSync(path, `${example.text}\n${declarationsOf(example)}\nexport {};\n`);
    return path;
  });
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    strict: true,
    noUnusedLocals: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const name = file?.fileName.split('/').at(-1) ?? '';
    return `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

/** Runs an example in a folder. @returns the lines that it printed */
export async function run(
  { text, of }: Example,
  given: Readonly<Record<string, unknown>>,
  addresses: Addresses,
  folder: string,
): Promise<readonly string[]> {
  let program = text;
  for (const [written, real] of Object.entries(addresses)) {
    program = program.replaceAll(`'${written}'`, JSON.stringify(real));
  }
  // Examples name a file without a folder, and the tests run in the project's.
  program = program.replaceAll("'spending.json'", JSON.stringify(join(folder, 'spending.json')));
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const names = Object.keys(given).join(', ');
  const head = `const { ${names} } = globalThis.${GIVEN};\n`;
  const { outputText } = ts.transpileModule(head + program, { compilerOptions: options });
  const path = join(folder, `run-${count++}-${of}.mjs`);
  writeFileSync(path, outputText);
  const printed: string[] = [];
  const { log } = console;
  Object.assign(globalThis, { [GIVEN]: given });
  console.log = (...values: unknown[]) => void printed.push(format(...values));
  try {
    await import(pathToFileURL(path).href);
  } finally {
    console.log = log;
    Reflect.deleteProperty(globalThis, GIVEN);
  }
  return printed;
}

/** Compares what an example printed with the comments behind its `console.log`, where `…` stands for any text. */
export function assertPrinted({ text, of }: Example, printed: readonly string[]): void {
  const expected = [...text.matchAll(/console\.log\(.*\);(?: \/\/ (.*))?$/gm)].map(
    ([, one]) => one,
  );
  assert.equal(printed.length, expected.length, `${of} printed ${JSON.stringify(printed)}`);
  for (const [index, wanted] of expected.entries()) {
    assert.ok(wanted, `${of}: a comment behind console.log says what it prints`);
    const parts = wanted.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    assert.match(printed[index] ?? '', new RegExp(`^${parts.join('.+')}$`, 's'), of);
  }
}
