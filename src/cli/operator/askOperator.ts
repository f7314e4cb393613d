import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { dataFolderPath } from '../../machine/index.ts';
import { CliError } from '../cliError.ts';
import { runningService } from '../serviceFile.ts';

const ANSWER_WITHIN_MS = 30_000;

const refusalSchema = z.object({ message: z.string() });

/** Which service to call. */
export interface OperatorOptions {
  /** Data folder of the service. Default: the user's own. */
  readonly dataDir?: string;
  readonly json?: boolean;
}

/**
 * Calls an operator's route of the service that uses the data folder.
 * @param path below `/operator/`
 * @param body makes it a POST
 * @throws CliError if no service is running or it refuses
 */
export async function askOperator<T>(
  { dataDir }: OperatorOptions,
  schema: z.ZodType<T>,
  path: string,
  body?: object,
): Promise<T> {
  const folder = resolve(dataDir ?? dataFolderPath(process.env, homedir()));
  const service = await runningService(folder);
  if (service?.facilitatorUrl == null) {
    throw new CliError(
      'usage',
      `No facilitator is running with ${folder}. Start one, or name its folder with --data-dir.`,
    );
  }
  if (service.operatorToken === undefined) {
    throw new CliError('failed', 'The running service is an older version. Restart it.');
  }
  const url = `${service.operatorUrl ?? service.facilitatorUrl}/operator/${path}`;
  const headers = {
    authorization: `Bearer ${service.operatorToken}`,
    'content-type': 'application/json',
  };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const response = await fetch(url, { ...sent, headers, signal, redirect: 'error' }).catch(
    (cause: unknown) => {
      throw new CliError('failed', `The service at ${url} did not answer.`, { cause });
    },
  );
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    const refused = refusalSchema.safeParse(answer);
    const why = refused.success ? refused.data.message : `It answered with ${response.status}.`;
    throw new CliError('failed', why);
  }
  const read = schema.safeParse(answer);
  if (!read.success) {
    throw new CliError('failed', 'The running service is another version. Restart it.');
  }
  return read.data;
}
