import {
  type PaymentAnswer,
  type PaymentStep,
  whatIsWrongWithPayment,
} from '../paymentForm/paymentForm.ts';
import { whatIsUnusualAboutPrice } from '../settings/index.ts';
import { later, t } from '../words/index.ts';
import { askOne, askText } from './stepInput.ts';

const WALLETS = [
  {
    label: later('$(add) Create Local Wallet'),
    detail: later('An account on the embedded network, ready to be paid.'),
    value: 'create',
  },
  {
    label: later('$(edit) Enter an Address…'),
    detail: later('A Stellar account that you own (G…).'),
    value: 'own',
  },
] as const;

const PROMPTS = {
  payTo: later('Stellar account to be paid (G…). It is written into the payment code.'),
  price: later('Price per request in USDC'),
  description: later(
    'What a buyer gets, in one sentence. Agents search this text. Leave empty to keep a TODO in the code.',
  ),
} as const;

/**
 * Asks one question of the payment form.
 * @param warningOf returns why an address cannot be paid, as far as the network knows
 */
export async function askPaymentStep(
  title: string,
  step: PaymentStep,
  warningOf: (payTo: string) => Promise<string | undefined>,
): Promise<PaymentAnswer> {
  const { question, answers } = step;
  const box = { ...step, title, problem: undefined };
  if (question === 'wallet') {
    const placeHolder = t('Which address should be paid? It is written into the code.');
    return askOne({ ...box, placeHolder }, WALLETS, answers.wallet);
  }
  const warning =
    question === 'price' && answers.payTo !== '' ? await warningOf(answers.payTo) : undefined;
  return askText(
    {
      ...box,
      prompt: t(PROMPTS[question]),
      value: answers[question],
      warning,
      preview: question !== 'payTo',
    },
    (text) => whatIsWrongWithPayment(question, text),
    question === 'price' ? whatIsUnusualAboutPrice : undefined,
  );
}
