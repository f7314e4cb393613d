import { t } from '../words/index.ts';
import type { AnswerShown } from './answerShown.ts';
import type { RequestForm } from './requestForm.ts';
import type { Terms } from './terms.ts';
import { TEST_STEPS, type TestStep, type TestStepName } from './testSteps.ts';

/** A link on the page; its text names the target. */
export interface Link {
  readonly text: string;
  /** `undefined` if there is no explorer. */
  readonly url: string | undefined;
}

export interface StepShown {
  readonly name: TestStepName;
  readonly title: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'skipped';
  readonly outcome: string;
  readonly link: Link | undefined;
}

/** An action that the page offers after a payment; it runs `command`. */
export interface OfferShown {
  readonly label: string;
  readonly command: string;
}

/** What the page shows below the form. It is JSON, so that it survives a reload. */
export interface Outcome {
  readonly running: boolean;
  /** The state in one sentence; a screen reader reads it when it changes. */
  readonly headline: string;
  /** `answered`: a response, without a payment. */
  readonly kind: 'none' | 'running' | 'settled' | 'answered' | 'failed';
  readonly terms: Terms | undefined;
  readonly steps: readonly StepShown[];
  readonly answer: AnswerShown | undefined;
  readonly receipt: readonly {
    readonly label: string;
    readonly value: string;
    readonly link?: Link;
  }[];
  /** The other side's response, for a failure. */
  readonly detail: string;
  readonly offers: readonly OfferShown[];
}

export const NOTHING_YET: Outcome = {
  running: false,
  headline: '',
  kind: 'none',
  terms: undefined,
  steps: [],
  answer: undefined,
  receipt: [],
  detail: '',
  offers: [],
};

/** A payment that is starting. */
export function begun(): Outcome {
  const steps = TEST_STEPS.map(({ name, title }) => ({
    name,
    title: t(title),
    state: 'waiting' as const,
    outcome: '',
    link: undefined,
  }));
  return {
    ...NOTHING_YET,
    running: true,
    kind: 'running',
    headline: t('Waiting for the network…'),
    steps,
  };
}

/** @param linkOf URL of a transaction in an explorer */
export function stepDone(
  outcome: Outcome,
  step: TestStep,
  linkOf: (hash: string) => string | undefined,
): Outcome {
  const { transaction } = step;
  const link = transaction && {
    text: t('transaction {0}…', transaction.slice(0, 8)),
    url: linkOf(transaction),
  };
  const ms = step.ms < 1000 ? `${step.ms} ms` : `${(step.ms / 1000).toFixed(1)} s`;
  return withStep(outcome, step.name, {
    state: 'done',
    outcome: `${step.outcome} (${ms})`,
    ...(link ? { link } : {}),
  });
}

export function stepBegun(outcome: Outcome, name: TestStepName): Outcome {
  const index = TEST_STEPS.findIndex((step) => step.name === name);
  const title = t(TEST_STEPS[index]?.title ?? name);
  const headline = t('Step {0} of {1}: {2}…', index + 1, TEST_STEPS.length, title);
  return { ...withStep(outcome, name, { state: 'running' }), headline };
}

/** Terms that cannot be paid are a failure, and remain visible. */
export function withTerms(outcome: Outcome, terms: Terms): Outcome {
  return { ...outcome, terms };
}

/** A failed payment: the running step failed too. */
export function failed(
  outcome: Outcome,
  headline: string,
  detail: string,
  offers: readonly OfferShown[],
): Outcome {
  const steps = outcome.steps.map((step) => {
    if (step.state === 'running') return { ...step, state: 'failed' as const };
    return step.state === 'waiting' ? { ...step, state: 'skipped' as const } : step;
  });
  return { ...outcome, running: false, kind: 'failed', headline, detail, offers, steps };
}

/** A request that was answered without a payment: no step of a payment says anything about it. */
export function answered(
  outcome: Outcome,
  headline: string,
  offers: readonly OfferShown[],
): Outcome {
  return { ...outcome, running: false, kind: 'answered', headline, detail: '', offers, steps: [] };
}

/** A response of the endpoint; a later one replaces it. */
export function withAnswer(outcome: Outcome, answer: AnswerShown): Outcome {
  return { ...outcome, answer };
}

/** The outcome shown after a reload, when nothing is running anymore. */
export function restored(saved: Outcome): Outcome {
  // An earlier version kept less of a response.
  const isOld = saved.answer !== undefined && saved.answer.headers === undefined;
  const outcome = isOld ? { ...saved, answer: undefined } : saved;
  if (!outcome.running) return outcome;
  return failed(
    outcome,
    t('The window was reloaded while this test payment was in progress.'),
    '',
    [],
  );
}

/** What the page keeps across a reload. */
export interface PanelState {
  readonly form: RequestForm;
  readonly outcome: Outcome;
}

function withStep(
  outcome: Outcome,
  name: TestStepName,
  change: Partial<Omit<StepShown, 'name'>>,
): Outcome {
  return {
    ...outcome,
    steps: outcome.steps.map((step) => (step.name === name ? { ...step, ...change } : step)),
  };
}
