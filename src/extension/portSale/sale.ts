import { lastLines, startServerProcess } from '../server/index.ts';
import { t } from '../words/index.ts';

/** What is sold, to whom it pays, and for how much. */
export interface SaleTerms {
  /** Origin of the server on this machine, such as `http://127.0.0.1:3000`. */
  readonly upstream: string;
  /** Price of each request in USDC, as typed. */
  readonly price: string;
  readonly payTo: string;
  readonly facilitatorUrl: string;
}

export interface SaleOptions {
  readonly terms: SaleTerms;
  /** Program that runs the command line, with its own variables. */
  readonly runtime: {
    readonly command: string;
    readonly environment: Readonly<Record<string, string>>;
  };
  /** The bundle `dist/cli.js`. */
  readonly bundle: string;
  /** The local service's data folder: keys and sales of the proxy are kept below it. */
  readonly dataFolder: string;
  /** Folder in which each window of the editor leaves a file: the proxy ends after the last one. */
  readonly leases: string;
  /** Whether the account is on another network than the embedded one. */
  readonly isElsewhere: boolean;
  /** Called with each piece of output, as JSON Lines. */
  readonly onOutput: (text: string) => void;
  /** Called once if it ends before it was stopped. */
  readonly onEnd: (end: SaleEnd) => void;
  /** Milliseconds until it has to sell. */
  readonly withinMs?: number;
}

/** Why a sale ended by itself. */
export interface SaleEnd {
  readonly reason: string;
}

/** A proxy that sells what a local server serves. */
export interface Sale {
  readonly terms: SaleTerms;
  /** Origin at which buyers pay. */
  readonly url: string;
  /** Ends it; resolves when its process has ended. */
  stop(): Promise<void>;
}

/** A proxy that did not begin to sell. */
export class SaleFailed extends Error {
  constructor(reason: string) {
    super(reason === '' ? t('The proxy ended before it sold anything.') : reason);
    this.name = 'SaleFailed';
  }
}

const WITHIN_MS = 60_000;

/**
 * Starts `svc-x402 proxy` in front of a local server, and resolves when it sells.
 * @throws SaleFailed with the reason that it printed
 */
export function startSale(options: SaleOptions): Promise<Sale> {
  const { terms, runtime, bundle, dataFolder, leases, isElsewhere } = options;
  const { onOutput, onEnd, withinMs = WITHIN_MS } = options;
  const { upstream, price, payTo, facilitatorUrl } = terms;
  return new Promise((resolve, reject) => {
    let state: 'starting' | 'selling' | 'over' = 'starting';
    let unread = '';
    const fail = (reason: string) => {
      clearTimeout(timer);
      state = 'over';
      reject(new SaleFailed(reason));
    };
    const proxy = startServerProcess(
      {
        command: runtime.command,
        args: [
          ...[bundle, 'proxy', upstream, '--price', price, '--pay-to', payTo],
          ...['--facilitator', facilitatorUrl, '--data-dir', dataFolder, '--json'],
          ...(isElsewhere ? ['--unchecked'] : []),
        ],
        windowsVerbatimArguments: false,
      },
      {
        cwd: dataFolder,
        // A database and a key of the user's own are not for this sale.
        variables: {
          ...{ ...runtime.environment, SVC_X402_LEASES: leases },
          ...{ DATABASE_URL: '', PROXY_SECRET: '', PROXY_RECEIPT_KEY: '' },
        },
        onOutput(text) {
          onOutput(text);
          if (state !== 'starting') return;
          const lines = (unread + text).split('\n');
          unread = lines.pop() ?? '';
          const url = lines.map(soldAt).find((found) => found !== undefined);
          if (url === undefined) return;
          clearTimeout(timer);
          state = 'selling';
          resolve({ terms, url, stop });
        },
        onEnd() {
          const reason = reasonIn(proxy.output);
          if (state === 'starting') fail(reason);
          else if (state === 'selling') {
            state = 'over';
            onEnd({ reason });
          }
        },
      },
    );
    const timer = setTimeout(() => {
      void proxy.stop();
      fail(t('The proxy did not start within {0} s.', withinMs / 1_000));
    }, withinMs);
    async function stop(): Promise<void> {
      state = 'over';
      await proxy.stop();
    }
  });
}

/** The address in the line that a proxy prints once it sells; `undefined` for other lines. */
function soldAt(line: string): string | undefined {
  try {
    const { event, url } = JSON.parse(line) as { event?: unknown; url?: unknown };
    return event === 'selling' && typeof url === 'string' ? url : undefined;
  } catch {
    return undefined;
  }
}

/** What a proxy says before it ends: the lines that are not logs. */
function reasonIn(output: string): string {
  const said = output.split('\n').filter((line) => !line.startsWith('{'));
  return lastLines(said.join('\n'));
}
