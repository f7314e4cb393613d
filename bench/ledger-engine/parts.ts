import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { measureEngine } from '../ledger/engine.ts';
import { measurePathPayment } from './pathPayment.ts';
import { measureFullLedger } from './payments.ts';
import { measureReplay } from './replaySpeed.ts';
import { measureState } from './stateOfSize.ts';

/** What is measured here, each in a process of its own, so that memory and compiled code are its alone. */
const PARTS = {
  transfer: measureEngine,
  pathPayment: measurePathPayment,
  fullLedger: measureFullLedger,
  replay: measureReplay,
  smallState: () => measureState(1_000),
  largeState: () => measureState(1_000_000),
};
type PartName = keyof typeof PARTS;
type Measured<Name extends PartName> = Awaited<ReturnType<(typeof PARTS)[Name]>>;

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Measures one part in a new process. */
export function measured<Name extends PartName>(name: Name): Measured<Name> {
  process.stderr.write(`measuring ${name} …\n`);
  const output = execFileSync(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', main, '--part', name],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return JSON.parse(output) as Measured<Name>;
}

/** Measures one part in this process, and gives it as JSON. */
export async function measuredHere(name: string): Promise<string> {
  if (!isPart(name)) throw new RangeError(`no part is called ${name}`);
  return JSON.stringify((await PARTS[name]()) ?? null);
}

function isPart(name: string): name is PartName {
  return Object.hasOwn(PARTS, name);
}
