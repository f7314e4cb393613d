import { t } from '../words/index.ts';
import type { ServiceState } from './serviceState.ts';

/** How the state of the local service looks, everywhere that it is shown. */
export interface ServiceFace {
  /** Name of one of the editor's icons; never the only difference between two states. */
  readonly icon: string;
  /** The state in one sentence, with its reason. */
  readonly sentence: string;
  readonly severity: 'normal' | 'warning' | 'error';
  /** What the user can do about it; `undefined` while nothing is wrong. */
  readonly action: 'start' | 'restart' | undefined;
}

/** Returns what to show of a state. */
export function serviceFace(state: ServiceState): ServiceFace {
  switch (state.kind) {
    case 'running':
      return {
        icon: 'broadcast',
        sentence: t('The local service is running at {0}.', state.service.facilitatorUrl ?? ''),
        severity: 'normal',
        action: undefined,
      };
    case 'unresponsive':
      return {
        icon: 'warning',
        sentence: t("The local service (process {0}) isn't responding.", state.service.pid),
        severity: 'warning',
        action: 'restart',
      };
    case 'starting':
      return {
        icon: 'sync~spin',
        sentence: t('The local service is starting.'),
        severity: 'normal',
        action: undefined,
      };
    case 'waiting':
      return {
        icon: 'sync~spin',
        sentence: t('{0} Restarting it.', state.message),
        severity: 'normal',
        action: 'start',
      };
    case 'failed':
      return { icon: 'error', sentence: state.message, severity: 'error', action: 'start' };
    case 'stopped':
      return {
        icon: 'circle-slash',
        sentence: t('The local service is stopped.'),
        severity: 'normal',
        action: 'start',
      };
  }
}
