import {
  type BudgetAnswer,
  type BudgetStep,
  EXPIRES,
  WINDOWS,
  whatIsWrongWithBudget,
} from '../../agents/index.ts';
import { later, t } from '../../words/index.ts';
import { askOne, askText } from '../stepInput.ts';

const PROMPTS = {
  name: later('Name of the agent, and of its key file'),
  budget: later('Most that it may spend in a window, such as 5 USDC. The ledger refuses more.'),
  maxPayments: later('Most payments in a window, such as 20; empty: any number'),
  perPayment: later('Most of one payment, such as 0.1 USDC; empty: what is left of the budget'),
  recipients: later('Who may be paid (G… or C…), with blanks between; empty: everyone'),
} as const;

/** Asks one question of the form of a budget. @param taken names of agents that exist */
export function askBudgetStep(
  title: string,
  step: BudgetStep,
  taken: readonly string[],
): Promise<BudgetAnswer> {
  const { question, answers } = step;
  const box = { ...step, title, problem: undefined };
  switch (question) {
    case 'window': {
      const placeHolder = t(
        'How long the budget lasts. A window starts with its first payment, unless it slides.',
      );
      return askOne({ ...box, placeHolder }, WINDOWS, answers.window);
    }
    case 'expires': {
      const placeHolder = t('When its key ends. You can revoke it at any time.');
      return askOne({ ...box, placeHolder }, EXPIRES, answers.expires);
    }
    default: {
      const texts = { prompt: t(PROMPTS[question]), value: answers[question] };
      return askText({ ...box, ...texts }, (text) =>
        whatIsWrongWithBudget(question, text, answers, taken),
      );
    }
  }
}
