import { measureEngine } from '../ledger/engine.ts';
import { inOwnProcess } from './ownProcess.ts';
import { measurePathPayment } from './pathPayment.ts';
import { measureFullLedger } from './payments.ts';
import { measureReplay } from './replaySpeed.ts';
import { measureState } from './stateOfSize.ts';

/** The measured parts, each in its own process. */
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

/** Measures one part in a new process. */
export function measured<Name extends PartName>(name: Name): Measured<Name> {
  process.stderr.write(`measuring ${name} …\n`);
  return inOwnProcess(['--part', name]) as Measured<Name>;
}

/** Measures one part in this process. */
export function measuredHere(name: string): Promise<unknown> {
  if (!isPart(name)) throw new RangeError(`no part is called ${name}`);
  return PARTS[name]();
}

function isPart(name: string): name is PartName {
  return Object.hasOwn(PARTS, name);
}
