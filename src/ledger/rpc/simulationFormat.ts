import type { SimulateInvokeOutcome } from '../host/index.ts';
import { invocationAnswer } from './simulationAnswer.ts';

/** In the place of a format where the outcome itself is wanted, and no answer. */
export const NOT_RENDERED = 'none';

/** The answer of `simulateTransaction` as text. */
export function renderSimulation(
  outcome: SimulateInvokeOutcome,
  sequence: number,
  format: string,
): string {
  if (format === NOT_RENDERED) return '';
  return JSON.stringify(invocationAnswer(outcome, sequence, format === 'json' ? 'json' : 'base64'));
}
