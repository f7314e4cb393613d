import { homedir } from 'node:os';
import { dataFolderPath } from '../../machine/index.ts';
import { oneLine } from '../../protocol/index.ts';
import { CliError } from '../cliError.ts';
import type { TraceCommand } from '../commandOptions.ts';
import { runningService } from '../serviceFile.ts';

const ANSWER_WITHIN_MS = 30_000;

/** `svc-x402 trace HASH`: why a transaction on the embedded network did what it did. @throws CliError */
export async function runTrace(hash: string, options: TraceCommand): Promise<void> {
  const rpcUrl = options.rpcUrl ?? (await localNetwork());
  const trace = await ask(controlUrl(rpcUrl), hash);
  process.stdout.write(options.json ? `${JSON.stringify(trace)}\n` : `${trace.text}\n`);
}

async function localNetwork(): Promise<string> {
  const service = await runningService(dataFolderPath(process.env, homedir()));
  if (service?.network.embedded) return service.network.rpcUrl;
  throw new CliError(
    'failed',
    'No embedded network is running. Start one with svc-x402 dev, or name one with --rpc-url.',
  );
}

/** Control is beside Stellar RPC. */
function controlUrl(rpcUrl: string): URL {
  const base = rpcUrl.replace(/\/(?:soroban\/)?(?:rpc\/?)?$/, '');
  return new URL(`${base}/control`);
}

interface Answer {
  readonly result?: { readonly text: string };
  readonly error?: { readonly message: string };
}

async function ask(url: URL, hash: string): Promise<{ readonly text: string }> {
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
    `${url.origin} is not an embedded network, or an older one: it has no traces.`,
  );
}
