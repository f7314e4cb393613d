import { setFlagsFromString } from 'node:v8';

/** Per cent of what lives in the heap that may be added before V8 collects again. V8 itself waits for 100 to 300 in a small heap. */
const GROWTH_PERCENT = 40;
const ON_A_DEVELOPERS_MACHINE: ReadonlySet<string> = new Set(['dev', 'ledger']);

/**
 * Lets V8 collect garbage earlier where a network is embedded: it lives on 40 MB, and V8 would keep up to three times as much in
 * garbage. Call it before code is compiled, which is kept by the flags that V8 had.
 * @param command what runs; a facilitator by itself is for throughput, and keeps V8's own choice
 */
export function growSlowly(command: string | undefined): void {
  if (command === undefined || !ON_A_DEVELOPERS_MACHINE.has(command)) return;
  try {
    setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  } catch {
    // Another engine than V8.
  }
}
