/** Runs npm where the user's project lies; `exitCode` is `undefined` when it was ended or is not there. */
export type RunNpm = (
  args: readonly string[],
) => Promise<{ readonly exitCode: number | undefined; readonly output: string }>;

/**
 * Asks the package source that is set for a project whether it serves a version, as `chooseSet` wants
 * to know. Where it cannot be asked, offline above all, a version counts as served: the package
 * manager has the last word.
 */
export function packageSource(runNpm: RunNpm): (name: string, version: string) => Promise<boolean> {
  return async (name, version) => {
    const question = ['view', `${name}@${version}`, 'version', '--json', '--fetch-retries=0'];
    const { exitCode, output } = await runNpm(question);
    // Older ones say nothing of a version that is not there, and call that a success.
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
