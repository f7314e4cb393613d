import {
  type PaymentAnswer,
  type PaymentStep,
  whatIsWrongWithPayment,
} from '../paymentForm/index.ts';
import { askOne, askText } from './stepInput.ts';

const WALLETS = [
  {
    label: '$(add) Create Local Wallet',
    detail: 'An account on the embedded network that can be paid at once.',
    value: 'create',
  },
  {
    label: '$(edit) Enter an Address…',
    detail: 'A Stellar account of yours (G…).',
    value: 'own',
  },
] as const;

const PROMPTS = {
  payTo: 'Stellar account (G…) that is paid. It is written into the code of the payment.',
  price: 'USDC for one request',
  description:
    'What a buyer gets, in a sentence. Agents search for it. Empty: the code keeps a TODO.',
} as const;

/**
 * Asks one question of the form of a payment.
 * @param warningOf why nobody could pay an address, as far as the network knows
 */
export async function askPaymentStep(
  title: string,
  step: PaymentStep,
  warningOf: (payTo: string) => Promise<string | undefined>,
): Promise<PaymentAnswer> {
  const { question, answers } = step;
  const box = { ...step, title, problem: undefined };
  if (question === 'wallet') {
    const placeHolder = 'Which address is paid? It is written into the code.';
    return askOne({ ...box, placeHolder }, WALLETS, answers.wallet);
  }
  const warning =
    question === 'price' && answers.payTo !== '' ? await warningOf(answers.payTo) : undefined;
  return askText(
    {
      ...box,
      prompt: PROMPTS[question],
      value: answers[question],
      warning,
      preview: question !== 'payTo',
    },
    (text) => whatIsWrongWithPayment(question, text),
  );
}
