// `npm run bindings`: writes the TypeScript bindings of the contracts' interfaces, from the specs in
// the committed modules, into src/protocol/bindings, and the modules' hashes into common/moduleHashes.ts.
// With --check: compares, and writes nothing.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Spec } from '@stellar/stellar-sdk/contract';
import { root } from './prepare.mjs';

const folder = join(root, 'src', 'protocol', 'bindings');
/** Both products recognize the contracts by these. */
const HASHES = '../../../common/moduleHashes.ts';
const contracts = ['smart-account', 'spending-limit', 'verified-only'];
/** The functions that the gateway and the SDK call with arguments, and the names of their bindings. */
const called = {
  'spending-limit': { __constructor: 'Constructor', change_limits: 'Change' },
  'verified-only': { __constructor: 'Constructor' },
};

/** The types of constructor arguments, as the contract's source and as TypeScript write them. */
const types = {
  scSpecTypeAddress: ['Address', 'StellarAddress'],
  scSpecTypeI128: ['i128', 'bigint'],
  scSpecTypeU64: ['u64', 'bigint'],
  scSpecTypeU32: ['u32', 'number'],
  scSpecTypeBool: ['bool', 'boolean'],
};

const files = contracts.map((contract) => [`${camelCase(contract)}.ts`, bindingOf(contract)]);
files.unshift([HASHES, hashes([...contracts, 'channel', 'channel-opener', 'upto'])]);
files.push([
  'index.ts',
  `${header('contracts/wasm')}\n${files.map(([name]) => `export * from '${name === HASHES ? name : `./${name}`}';\n`).join('')}`,
]);

if (process.argv.includes('--check')) {
  const stale = files.filter(([name, text]) => read(name) !== text).map(([name]) => name);
  if (stale.length > 0) {
    console.error(`${stale.join(', ')} in src/protocol/bindings: run npm run bindings`);
    process.exit(1);
  }
  console.log(`${files.length} bindings are what the committed modules say`);
} else {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
}

function bindingOf(contract) {
  const module = `contracts/wasm/${contract}.wasm`;
  const spec = Spec.fromWasm(readFileSync(join(root, module)));
  const name = camelCase(contract).replace(/^./, (first) => first.toUpperCase());
  const functions = Object.entries(called[contract] ?? {});
  if (functions.length === 0) return [header(module), errors(name, contract, spec)].join('\n');
  const imports = "import type { StellarAddress } from '../../../common/address.ts';\n";
  return [
    `${header(module)}${imports}`,
    errors(name, contract, spec),
    ...functions.map(([called, suffix]) => argumentsOf(contract, name, spec, called, suffix)),
  ].join('\n');
}

/** Clients recognize a contract on the ledger by the hash of its module. */
function hashes(names) {
  const current = names.map((name) => {
    return `  ${quoted(name)}: '${hashOf(`contracts/wasm/${name}.wasm`)}',\n`;
  });
  const versions = readdirSync(join(root, 'contracts', 'earlier'));
  const earlier = contracts.map((name) => {
    const files = versions.map((version) => `contracts/earlier/${version}/${name}.wasm`);
    const known = files
      .filter((file) => existsSync(join(root, file)))
      .map((file) => `'${hashOf(file)}'`);
    // In the formatter's style: one hash per line.
    const list = known.length === 1 ? `[${known[0]}]` : `[\n    ${known.join(',\n    ')},\n  ]`;
    return `  ${quoted(name)}: ${list},\n`;
  });
  return [
    header('contracts/wasm and contracts/earlier'),
    `/** SHA-256 of the modules of this version, hex. */\nexport const MODULE_HASHES = {\n${current.join('')}} as const;\n`,
    `/** SHA-256 of modules that earlier versions deployed, hex: their contracts stay on the ledger. */\nexport const EARLIER_MODULE_HASHES = {\n${earlier.join('')}} as const;\n`,
  ].join('\n');
}

function hashOf(path) {
  return createHash('sha256')
    .update(readFileSync(join(root, path)))
    .digest('hex');
}

function quoted(name) {
  return name.includes('-') ? `'${name}'` : name;
}

/** The modules do not contain comments; the sources do. */
function errors(name, contract, spec) {
  const source = readFileSync(join(root, 'contracts', contract, 'src', 'error.rs'), 'utf8');
  const comments = new Map(
    [...source.matchAll(/((?:^ {4}\/\/\/ .*\n)*)^ {4}(\w+) = \d+,$/gm)].map(
      ([, comment, error]) => [error, comment.replaceAll(/^ {4}\/\/\/ /gm, '').trim()],
    ),
  );
  const cases = spec.errorCases().map(({ value, name: text }) => {
    const doc = comments.get(`${text}`) ?? '';
    const note = doc === '' ? '' : `  /** ${doc.replaceAll('\n', ' ')} */\n`;
    return `${note}  readonly ${value}: '${text}';\n`;
  });
  return `/** Numbers of the contract's errors, with their names. */\nexport interface ${name}Errors {\n${cases.join('')}}\n`;
}

function argumentsOf(contract, name, spec, called, suffix) {
  const inputs = spec.getFunc(called).inputs.map((input) => {
    const [rust, script] = typeOf(input.type);
    return { name: `${input.name}`, rust, script };
  });
  const what = called === '__constructor' ? 'the constructor' : `\`${called}\``;
  const list = inputs.map((input) => `  { name: '${input.name}', type: '${input.rust}' },\n`);
  const members = inputs.map((input) => `  readonly ${input.name}: ${input.script};\n`);
  return [
    `/** Arguments of ${what}, by name. */\nexport interface ${name}${suffix === 'Constructor' ? '' : suffix}Arguments {\n${members.join('')}}\n`,
    `/** Names and types of the arguments of ${what}, in its order. */\nexport const ${contract.toUpperCase().replaceAll('-', '_')}_${suffix.toUpperCase()} = [\n${list.join('')}] as const;\n`,
  ].join('\n');
}

function typeOf(type) {
  if (type.type === 'scSpecTypeOption') {
    const [rust, script] = typeOf(type.option.valueType);
    return [`Option<${rust}>`, `${script} | null`];
  }
  if (type.type === 'scSpecTypeVec') {
    const [rust, script] = typeOf(type.vec.elementType);
    return [`Vec<${rust}>`, `readonly ${script}[]`];
  }
  const known = types[type.type];
  if (known === undefined) throw new Error(`No binding is written for ${type.type} yet.`);
  return known;
}

function header(source) {
  return `// Generated from ${source} by \`npm run bindings\`; not edited by hand.\n`;
}

function read(name) {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
}

function camelCase(name) {
  return name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}
