import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { flameGraph, type TransactionTrace } from '../../../network/src/index.ts';
import { dataFolderPath } from '../../machine/index.ts';
import { oneLine } from '../../protocol/index.ts';
import { CliError } from '../cliError.ts';
import type { TraceCommand } from '../commandOptions.ts';
import { runningService } from '../serviceFile.ts';

const ANSWER_WITHIN_MS = 30_000;

/** `svc-x402 trace HASH`: explains what a transaction on the embedded network did. @throws CliError */
export async function runTrace(hash: string, options: TraceCommand): Promise<void> {
  const rpcUrl = options.rpcUrl ?? (await localNetwork());
  const trace = await ask(controlUrl(rpcUrl), hash);
  if (options.flameGraph !== undefined) await writeFlameGraph(options.flameGraph, trace);
  process.stdout.write(options.json ? `${JSON.stringify(trace)}\n` : `${trace.text}\n`);
}

/** @throws CliError */
async function writeFlameGraph(path: string, trace: TransactionTrace): Promise<void> {
  const svg = flameGraph(`Transaction ${trace.hash}`, trace);
  if (svg === undefined) {
    throw new CliError(
      'failed',
      'The costs of calls are not available: the network has restarted since, has dropped them, or no contract was called.',
    );
  }
  try {
    await writeFile(path, svg);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CliError('usage', `The flame graph cannot be written to ${path} (${reason}).`, {
      cause: error,
    });
  }
}

async function localNetwork(): Promise<string> {
  const service = await runningService(dataFolderPath(process.env, homedir()));
  if (service?.network.embedded) return service.network.rpcUrl;
  throw new CliError(
    'failed',
    'No embedded network is running. Start one with svc-x402 dev, or name one with --rpc-url.',
  );
}

/** The control endpoint is next to Stellar RPC. */
function controlUrl(rpcUrl: string): URL {
  const base = rpcUrl.replace(/\/(?:soroban\/)?(?:rpc\/?)?$/, '');
  return new URL(`${base}/control`);
}

interface Answer {
  readonly result?: TransactionTrace;
  readonly error?: { readonly message: string };
}

async function ask(url: URL, hash: string): Promise<TransactionTrace> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'svc_traceTransaction',
    params: { hash },
  });
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  let response: Response;
  try {
    response = await fetch(url, { method: 'POST', body, headers, signal });
  } catch {
    throw new CliError('failed', `No network answers at ${url.origin}.`);
  }
  const answer = (await response.json().catch(() => ({}))) as Answer;
  if (typeof answer.result?.text === 'string') return answer.result;
  if (answer.error !== undefined) {
    throw new CliError('failed', `Could not trace ${hash}: ${oneLine(answer.error.message)}.`);
  }
  throw new CliError(
    'failed',
    `${url.origin} is not an embedded network, or an older one without traces.`,
  );
}
