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
  'Editor sidebar/Polling':
    'The three periods are constants of the views (30, 60 and 30 seconds). That polling keeps a period is tested; no test waits in an editor for these.',
  'Activation test payment/Distinct':
    'The key is made afresh at each payment, and nothing lets a test choose it so that it collides.',
  'Activation test payment/One at a time':
    'The command refuses a second one while the first runs; no test of an editor starts two.',
  'Limits/Ranking figures': 'It says what a figure of another instance does not claim.',
};
