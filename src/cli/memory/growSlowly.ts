import { setFlagsFromString } from 'node:v8';

/** Percentage by which the live heap can grow before V8 collects again. By default, V8 allows 100 to 300 in a small heap. */
const GROWTH_PERCENT = 40;
const ON_A_DEVELOPERS_MACHINE: ReadonlySet<string> = new Set(['dev', 'ledger']);

/**
 * Makes V8 collect garbage earlier if the command embeds a network. The network needs 40 MB, and V8 would keep up to three
 * times as much garbage. Call this before code is compiled, because the cache of compiled code depends on V8's flags.
 * @param command the running command; a standalone facilitator favors throughput and keeps V8's default
 */
export function growSlowly(command: string | undefined): void {
  if (command === undefined || !ON_A_DEVELOPERS_MACHINE.has(command)) return;
  try {
    setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  } catch {
    // Not V8.
  }
}
