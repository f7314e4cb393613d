/** Runs npm in the folder of the user's project; `exitCode` is `undefined` if npm was killed or is missing. */
export type RunNpm = (
  args: readonly string[],
) => Promise<{ readonly exitCode: number | undefined; readonly output: string }>;

/**
 * Asks a project's package source whether it serves a version, for `chooseSet`. If it cannot be reached, for example offline, a
 * version counts as served: the package manager has the last word.
 */
export function packageSource(runNpm: RunNpm): (name: string, version: string) => Promise<boolean> {
  return async (name, version) => {
    const question = ['view', `${name}@${version}`, 'version', '--json', '--fetch-retries=0'];
    const { exitCode, output } = await runNpm(question);
    // Older versions of npm print nothing about a version that does not exist, and report success.
    if (output.trim() === '') return exitCode !== 0;
    const code = errorCode(output);
    return code !== 'E404' && code !== 'ETARGET';
  };
}

function errorCode(output: string): unknown {
  try {
    const answer = JSON.parse(output) as { error?: { code?: unknown } } | null;
    return answer?.error?.code;
  } catch {
    return undefined;
  }
}
