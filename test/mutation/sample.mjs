// Lets through the mutants that belong to a seeded sample, and those of files that are tried in whole;
// Stryker lists the others as not compiled, and they count for nothing.

import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

const whole = new Set(JSON.parse(process.env.MUTATION_WHOLE));

class Sample {
  async init() {}

  async check(mutants) {
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, this.#judge(mutant)]));
  }

  #judge({ fileName, location, mutatorName, replacement }) {
    const { start, end } = location;
    const place = `${start.line}:${start.column}-${end.line}:${end.column}`;
    const file = relative(process.cwd(), fileName).replaceAll('\\', '/');
    if (whole.has(file)) return { status: 'passed' };
    const digest = createHash('sha256')
      .update(`${process.env.MUTATION_SEED} ${file} ${place} ${mutatorName} ${replacement}`)
      .digest();
    if (digest.readUInt32BE(0) / 2 ** 32 < Number(process.env.MUTATION_SHARE)) {
      return { status: 'passed' };
    }
    return { status: 'compileError', reason: 'not in the sample' };
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', Sample)];
