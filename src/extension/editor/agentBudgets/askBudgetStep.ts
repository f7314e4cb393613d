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
  name: later('Name of the agent and its key file'),
  budget: later(
    'Maximum spending per window, such as 5 USDC. The ledger rejects anything above it.',
  ),
  maxPayments: later(
    'Maximum number of payments per window, such as 20. Leave empty for no limit.',
  ),
  perPayment: later(
    'Maximum per payment, such as 0.1 USDC. Leave empty to allow the remaining budget.',
  ),
  recipients: later(
    'Who may be paid (G… or C…), separated by spaces. Leave empty to allow anyone.',
  ),
} as const;

/** Asks one question of the budget form. @param taken names of existing agents */
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
        'How often the budget resets. A window starts with its first payment, unless it slides.',
      );
      return askOne({ ...box, placeHolder }, WINDOWS, answers.window);
    }
    case 'expires': {
      const placeHolder = t('When its key expires. You can revoke it at any time.');
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
