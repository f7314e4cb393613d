import type { SimulateInvokeOutcome } from '../host/index.ts';
import { invocationAnswer } from './simulationAnswer.ts';

/** Used instead of a format if the outcome itself is wanted rather than an answer. */
export const NOT_RENDERED = 'none';

/** Renders the answer of `simulateTransaction` as text. */
export function renderSimulation(
  outcome: SimulateInvokeOutcome,
  sequence: number,
  format: string,
): string {
  if (format === NOT_RENDERED) return '';
  return JSON.stringify(invocationAnswer(outcome, sequence, format === 'json' ? 'json' : 'base64'));
}
