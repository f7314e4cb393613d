// `npm run bench -- governed-payments [--openzeppelin FOLDER] [--crossmint FOLDER]`: the cost of a payment under a limit of the
// payer's account, compared with other projects' accounts. docs/evidence/governed-payments.md lists the sources of their
// modules.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SUPPORTED_PROTOCOLS } from '../../network/src/hostModule.ts';
import { table } from '../table.ts';
import { crossmint } from './crossmint.ts';
import type { Contender } from './governedAccount.ts';
import { measure, type PaymentFigures, TURNS } from './measure.ts';
import { openZeppelin } from './openZeppelin.ts';
import { ours } from './ours.ts';

const built = fileURLToPath(new URL('../../build/governed-payments/', import.meta.url));
const { values } = parseArgs({
  options: {
    openzeppelin: { type: 'string', default: `${built}openzeppelin` },
    crossmint: { type: 'string', default: `${built}crossmint` },
  },
});

/** A module as the compiler produces it, and after the post-processing of this project's own modules. */
const TREATMENTS = [
  ['as compiled', 'compiled'],
  ['optimized like ours', 'optimized'],
] as const;

const contenders: Contender[] = [ours];
for (const [words, folder] of TREATMENTS) {
  const theirs = `${values.openzeppelin}/${folder}`;
  if (existsSync(theirs)) contenders.push(openZeppelin(`OpenZeppelin, ${words}`, theirs));
}
for (const [words, folder] of TREATMENTS) {
  const theirs = `${values.crossmint}/${folder}/smart_account.wasm`;
  if (existsSync(theirs)) contenders.push(crossmint(`Crossmint, ${words}`, theirs));
}

const figures: PaymentFigures[] = [];
for (const protocol of SUPPORTED_PROTOCOLS) {
  for (const contender of contenders.filter(({ since }) => since <= protocol)) {
    process.stderr.write(`measuring ${contender.name} on protocol ${protocol} …\n`);
    figures.push(...(await measure(contender, protocol)));
  }
}

console.log(
  `Testnet's fees, in stroops; payments ${TURNS.join(', ')} of 0.1 USDC under a limit of 10 USDC a day.\n`,
);
const grouped = (value: number | bigint) => value.toLocaleString('en');
console.log(
  table(
    [
      'account',
      'protocol',
      'payment',
      'instructions',
      'resource fee',
      'charged in all',
      'entries only read',
      'entries written',
      'bytes written',
    ],
    figures.map((of) => [
      of.contender,
      `${of.protocol}`,
      `${of.turn}`,
      grouped(of.instructions),
      grouped(of.resourceFee),
      grouped(of.charged),
      grouped(of.entriesRead),
      grouped(of.entriesWritten),
      grouped(of.bytesWritten),
    ]),
  ),
);
console.log('\nModules that a payment loads, in bytes\n');
console.log(
  table(
    ['account', 'module', 'bytes', 'SHA-256'],
    contenders.flatMap(({ name, modules }) => [
      ...modules.map(({ name: module, wasm, hash }) => [
        name,
        module,
        grouped(wasm.length),
        Buffer.from(hash).toString('hex').slice(0, 16),
      ]),
      [name, 'together', grouped(modules.reduce((sum, { wasm }) => sum + wasm.length, 0)), ''],
    ]),
  ),
);
