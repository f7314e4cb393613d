import type { ServiceFile } from '../../machine/index.ts';

/** The state of the local service, the single source for everything that shows it. */
export type ServiceState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly service: ServiceFile; readonly startedHere: boolean }
  /** Its process exists, and has not answered for a while. It may answer again. */
  | { readonly kind: 'unresponsive'; readonly service: ServiceFile; readonly startedHere: boolean }
  | { readonly kind: 'waiting'; readonly message: string; readonly retryInMs: number }
  /** It cannot be started until something is fixed. */
  | { readonly kind: 'failed'; readonly message: string };

/** The addresses of a service that exists, whether or not it answers at the moment. */
export function serviceOf(state: ServiceState): ServiceFile | undefined {
  return state.kind === 'running' || state.kind === 'unresponsive' ? state.service : undefined;
}
