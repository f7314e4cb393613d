// Loaded before a program (`--import`): its wall clock is as far off as the file CLOCK_STEP_FILE says,
// in milliseconds. SIGUSR2 makes it read the file again, as a time service steps a clock. Timers go by
// the machine's uptime, as they do when a real clock is stepped.

import { existsSync, readFileSync } from 'node:fs';

const file = process.env.CLOCK_STEP_FILE ?? '';
const Real = Date;
let off = 0;

const read = () => {
  off = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
};
read();
process.on('SIGUSR2', read);

globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + off);
    else super(...given);
  }

  static now() {
    return Real.now() + off;
  }
};
