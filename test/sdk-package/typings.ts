import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { readmePrograms } from './programs.ts';

const { ModuleKind, ModuleResolutionKind } = ts;

/** How TypeScript finds a package, with the extension of a file that is compiled that way. */
export const RESOLUTIONS: Readonly<Record<string, readonly [string, ts.CompilerOptions]>> = {
  node10: ['ts', { module: ModuleKind.CommonJS, moduleResolution: ModuleResolutionKind.Node10 }],
  'node16, ES module': [
    'mts',
    { module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 },
  ],
  'node16, CommonJS': [
    'cts',
    { module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 },
  ],
  'nodenext, ES module': [
    'mts',
    { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext },
  ],
  'nodenext, CommonJS': [
    'cts',
    { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext },
  ],
  bundler: ['ts', { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler }],
};

/** What must not compile: a type that is `any` takes everything. */
const MISTAKE = `
import { createX402Fetch, type PaymentSigner } from 'svc-x402-sdk';
declare const signer: PaymentSigner;
createX402Fetch({ signer, rpcUrl: '', maxAmount: 1 });
`;

/** Type-checks the README's examples in a folder with the package. @returns the compiler's complaints */
export function typeCheck(folder: string, resolution: string): readonly string[] {
  const [extension, options] = RESOLUTIONS[resolution] ?? ['ts', {}];
  const complaints = readmePrograms().flatMap((text, index) =>
    compile(join(folder, `example-${index}.${extension}`), text, options),
  );
  const unseen = compile(join(folder, `mistake.${extension}`), MISTAKE, options).length === 0;
  return unseen ? [...complaints, 'a number is taken for a bigint'] : complaints;
}

function compile(path: string, text: string, options: ts.CompilerOptions): readonly string[] {
  writeFileSync(path, text);
  const program = ts.createProgram([path], {
    ...options,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
    strict: true,
    skipDefaultLibCheck: true,
    noEmit: true,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
