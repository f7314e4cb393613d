import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';

const folder = fileURLToPath(new URL('../../examples/agent', import.meta.url));

const step = z.looseObject({ step: z.string() });
type Step = z.infer<typeof step>;

/** What the agent is asked for, in its user's words. */
export const TASK = 'current weather in Nairobi';

/** One run of the example agent, by its output. */
export class AgentRun {
  readonly code: number;
  readonly steps: readonly Step[];

  constructor(code: number, steps: readonly Step[]) {
    this.code = code;
    this.steps = steps;
  }

  all(name: string): readonly Step[] {
    return this.steps.filter((each) => each.step === name);
  }

  /** @throws Error with the last output if there is no such step */
  one(name: string): Step {
    const [found] = this.all(name);
    if (found === undefined) {
      throw new Error(`the agent did not report "${name}": ${JSON.stringify(this.steps.at(-1))}`);
    }
    return found;
  }
}

/** Runs `examples/agent` for the task. @param environment where the service is, and its limits */
export function runAgent(environment: Readonly<Record<string, string>>): Promise<AgentRun> {
  const { PATH = '', HOME = '' } = process.env;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['agent.mjs', '--json', TASK],
      { cwd: folder, env: { PATH, HOME, ...environment } },
      (error, stdout) => {
        const told = stdout
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => z.parse(step, JSON.parse(line)));
        resolve(new AgentRun(typeof error?.code === 'number' ? error.code : 0, told));
      },
    );
  });
}
