import { AGENT_NAME_RULE, isAgentName } from '../../machine/index.ts';
import { parseDecimalAmount, parseStellarAddress, withoutUsdc } from '../../protocol/index.ts';
import { whatIsWrongWithCap, whatIsWrongWithCount } from '../policies/index.ts';
import { later, t } from '../words/index.ts';

/** The answers so far, as typed or picked. */
export interface BudgetAnswers {
  readonly name: string;
  readonly budget: string;
  readonly window: string;
  /** Empty: no limit. */
  readonly maxPayments: string;
  /** Empty: the remaining budget. */
  readonly perPayment: string;
  /** Empty: everyone. */
  readonly recipients: string;
  readonly expires: string;
}

export type BudgetQuestion = keyof BudgetAnswers;

/** One question with its position among all. */
export interface BudgetStep {
  readonly question: BudgetQuestion;
  /** From 1. */
  readonly step: number;
  readonly totalSteps: number;
  readonly answers: BudgetAnswers;
}

/** The answer, one step back, or `undefined` when the user cancelled. */
export type BudgetAnswer = { readonly text: string } | 'back' | undefined;

/** The windows of a budget, as the command line names them; a sliding one has a word in front. */
export const WINDOWS = [
  { label: later('Each Day'), value: 'day' },
  { label: later('Each Week'), value: 'week' },
  { label: later('Each Month'), description: later('30 days'), value: 'month' },
  {
    label: later('In Any 24 Hours'),
    description: later('a sliding window'),
    value: 'sliding day',
  },
  {
    label: later('In Any 7 Days'),
    description: later('a sliding window'),
    value: 'sliding week',
  },
  {
    label: later('In Any 30 Days'),
    description: later('a sliding window'),
    value: 'sliding month',
  },
] as const;

/** Lifetimes of a key, as the command line reads them. */
export const EXPIRES = [
  { label: later('In 1 Day'), value: '1d' },
  { label: later('In 7 Days'), value: '7d' },
  { label: later('In 30 Days'), value: '30d' },
  { label: later('In 90 Days'), value: '90d' },
] as const;

const QUESTIONS = [
  'name',
  'budget',
  'window',
  'maxPayments',
  'perPayment',
  'recipients',
  'expires',
] as const;
const UNANSWERED: BudgetAnswers = {
  name: 'agent',
  budget: '1 USDC',
  window: 'day',
  maxPayments: '',
  perPayment: '',
  recipients: '',
  expires: '30d',
};
/** Limit of the policy's contract. */
const MAX_RECIPIENTS = 20;

/**
 * Asks for everything that a budget needs, one question at a time.
 * @returns `undefined` when the user cancelled, or went back from the first question
 */
export async function askBudget(
  ask: (step: BudgetStep) => Promise<BudgetAnswer>,
): Promise<BudgetAnswers | undefined> {
  let answers = UNANSWERED;
  for (let at = 0; at >= 0; ) {
    const question = QUESTIONS[at];
    if (question === undefined) return answers;
    const answer = await ask({ question, step: at + 1, totalSteps: QUESTIONS.length, answers });
    if (answer === undefined) return undefined;
    if (answer === 'back') at -= 1;
    else {
      answers = { ...answers, [question]: answer.text.trim() };
      at += 1;
    }
  }
  return undefined;
}

/**
 * Returns what is wrong with a typed answer; `undefined` for a valid one.
 * @param taken names of existing agents
 */
export function whatIsWrongWithBudget(
  question: BudgetQuestion,
  typed: string,
  answers: BudgetAnswers,
  taken: readonly string[],
): string | undefined {
  const text = typed.trim();
  switch (question) {
    case 'name':
      if (!isAgentName(text)) return AGENT_NAME_RULE;
      return taken.includes(text) ? t('An agent named {0} already exists.', text) : undefined;
    case 'budget':
      return whatIsWrongWithCap(withoutUsdc(text), 'USDC');
    case 'maxPayments':
      return whatIsWrongWithCount(text);
    case 'perPayment': {
      if (text === '') return undefined;
      const wrong = whatIsWrongWithCap(withoutUsdc(text), 'USDC');
      if (wrong !== undefined) return wrong;
      const [most, budget] = [text, answers.budget].map((one) =>
        parseDecimalAmount(withoutUsdc(one)),
      );
      return (most ?? 0n) > (budget ?? 0n)
        ? t('One payment cannot be more than the budget, {0} USDC.', withoutUsdc(answers.budget))
        : undefined;
    }
    case 'recipients': {
      const addresses = listed(text);
      const strange = addresses.find((one) => parseStellarAddress(one) === undefined);
      if (strange !== undefined)
        return t('{0} is not an address (G… or C…).', strange.slice(0, 60));
      return addresses.length > MAX_RECIPIENTS
        ? t('Enter at most {0} recipients.', MAX_RECIPIENTS)
        : undefined;
    }
    default:
      return undefined;
  }
}

/** The arguments with which `svc-x402` grants a budget. */
export function grantArguments(answers: BudgetAnswers): readonly string[] {
  const { name, budget, perPayment, recipients, expires, maxPayments } = answers;
  const [window = '', slides] = answers.window.split(' ').reverse();
  return [
    ...['agent', 'grant', '--json', '--name', name, '--budget', withoutUsdc(budget)],
    ...['--window', window, '--expires', expires],
    ...(slides === undefined ? [] : ['--sliding']),
    ...(maxPayments === '' ? [] : ['--max-payments', maxPayments]),
    ...(perPayment === '' ? [] : ['--per-payment', withoutUsdc(perPayment)]),
    ...(recipients === '' ? [] : ['--recipient', ...listed(recipients)]),
  ];
}

/** Pasted addresses without duplicates, separated by commas, semicolons or spaces. */
function listed(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ''))];
}
