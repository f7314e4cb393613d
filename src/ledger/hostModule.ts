import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hostFileName } from './host/index.ts';

/** The protocol that networks run unless told otherwise. */
const PROTOCOL = 27;

/** Where the host's module lies: beside the bundle that this code ships in, or in the source tree. */
export function defaultHostModule(): string {
  const name = hostFileName(PROTOCOL);
  const shipped = fileURLToPath(new URL(`./${name}`, import.meta.url));
  if (existsSync(shipped)) return shipped;
  return fileURLToPath(new URL(`../../ledger-host/${name}`, import.meta.url));
}
