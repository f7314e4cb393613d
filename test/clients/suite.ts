import type { SupportedProtocol } from '../../network/src/hostModule.ts';
import type { LedgerUrls } from '../../network/src/index.ts';
import type { CaseResult } from './results.ts';

/** What a suite is given. */
export interface Place {
  readonly protocol: SupportedProtocol;
  readonly passphrase: string;
  readonly urls: LedgerUrls;
  /** A folder of its own. What earlier runs installed there is still in it. */
  readonly folder: string;
  /** This folder of the project. */
  readonly own: string;
  /** The checkout of a repository in the folder of `--suites`, if there is one. */
  checkout(name: string): string | undefined;
}

/** The tests that ran, or why none could. */
export type SuiteResult =
  | { readonly kind: 'ran'; readonly cases: readonly CaseResult[] }
  | { readonly kind: 'absent'; readonly reason: string };

/** A suite of tests that drives one client over the network. */
export interface Suite {
  /** The folder that it works in, and what `--only` takes. */
  readonly id: string;
  readonly client: string;
  /** Whose tests they are, and of what. */
  readonly tests: string;
  run(place: Place): Promise<SuiteResult>;
}

/** The environment in which a suite finds the network. */
export function whereItIs({ urls, passphrase }: Place): Record<string, string> {
  return {
    HORIZON_URL: urls.horizon.replace(/\/$/, ''),
    RPC_URL: urls.rpc,
    FRIENDBOT_URL: urls.friendbot,
    NETWORK_PASSPHRASE: passphrase,
  };
}

/** A suite that is not there. */
export function absent(reason: string): SuiteResult {
  return { kind: 'absent', reason };
}

/** What a suite reports. A run without any test is a failure: nothing was shown. */
export function ran(cases: readonly CaseResult[], words: string): SuiteResult {
  if (cases.length > 0) return { kind: 'ran', cases };
  const detail = words.trim().split('\n').slice(-5).join('\n');
  return { kind: 'ran', cases: [{ name: 'the suite starts', outcome: 'failed', detail }] };
}
