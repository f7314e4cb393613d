import { clientDemands } from './clientDemands.ts';
import type { DemandSection } from './section.ts';
import { serviceDemands } from './serviceDemands.ts';

/**
 * What the specification demands, section by section, in our words. A test that proves a demand names
 * it as `[spec: Section/Rule]`. Sentences that only explain, or say what is not shown, demand nothing.
 */
export const sections: Readonly<Record<string, DemandSection>> = {
  ...serviceDemands,
  ...clientDemands,
};

/** Demands that no test of this repository can prove, with the reason. */
export const unproved: Readonly<Record<string, string>> = {
  'What the service does/8':
    'It describes one hosted instance and its host. This service keeps its catalog on disk and does not sleep; the time that clients wait is theirs to set.',
  'Limits/Cold start': 'As above: it is a property of the hosted instance.',
  'Limits/Ranking figures': 'It says what a figure of another instance does not claim.',
};
