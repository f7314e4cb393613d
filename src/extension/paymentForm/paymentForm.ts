import { parseAccountAddress } from '../../protocol/index.ts';
import { whatIsWrongWithAddress, whatIsWrongWithPrice } from '../settings/index.ts';

/** The answers so far, as typed or picked. */
export interface PaymentAnswers {
  /** Where payments go: a new local wallet, or the user's address. */
  readonly wallet: 'create' | 'own';
  /** Empty if a wallet is to be created. */
  readonly payTo: string;
  readonly price: string;
  /** What a buyer gets; if empty, the code keeps a TODO for it. */
  readonly description: string;
}

export type PaymentQuestion = keyof PaymentAnswers;

/** One question with its position among all. */
export interface PaymentStep {
  readonly question: PaymentQuestion;
  /** From 1. */
  readonly step: number;
  readonly totalSteps: number;
  readonly answers: PaymentAnswers;
  /** Whether there is a question before this one. */
  readonly back: boolean;
}

/** The answer, one step back, or `undefined` when the user cancelled. */
export type PaymentAnswer =
  | { readonly text: string; readonly preview?: boolean }
  | 'back'
  | undefined;

/** What is known before the first question. */
export interface PaymentFacts {
  /** The configured address; without it, the form asks for one. */
  readonly payTo: string | undefined;
  /** Whether a local wallet can be created. */
  readonly local: boolean;
  readonly price: string;
  /** The comment above the route. */
  readonly description: string | undefined;
}

export interface FilledPayment extends PaymentAnswers {
  /** Whether to show the change before it is made. */
  readonly preview: boolean;
}

/**
 * Asks for everything that a payment needs, one question at a time: who is paid, the price, what a buyer gets. It skips what is
 * already known. A preview skips the remaining questions.
 * @returns `undefined` when the user cancelled, or went back from the first question
 */
export async function askPayment(
  { payTo, local, price, description }: PaymentFacts,
  ask: (step: PaymentStep) => Promise<PaymentAnswer>,
): Promise<FilledPayment | undefined> {
  let answers: PaymentAnswers = {
    wallet: payTo === undefined && local ? 'create' : 'own',
    payTo: payTo ?? '',
    price,
    description: description ?? '',
  };
  /** Each step with its questions: the address is the second half of the first step. */
  const steps = (): readonly (readonly PaymentQuestion[])[] => [
    ...(payTo === undefined ? [recipient(local, answers)] : []),
    ['price'],
    ...(description === undefined ? [['description' as const]] : []),
  ];
  for (let at = 0; at >= 0; ) {
    const all = steps();
    const question = all.flat()[at];
    if (question === undefined) return { ...answers, preview: false };
    const step = all.findIndex((questions) => questions.includes(question)) + 1;
    const asked = { question, step, totalSteps: all.length, answers, back: at > 0 };
    const answer = await ask(asked);
    if (answer === undefined) return undefined;
    if (answer === 'back') {
      at -= 1;
      continue;
    }
    answers = { ...answers, [question]: answer.text.trim() };
    if (answer.preview) return { ...answers, preview: true };
    at += 1;
  }
  return undefined;
}

function recipient(local: boolean, { wallet }: PaymentAnswers): readonly PaymentQuestion[] {
  if (!local) return ['payTo'];
  return wallet === 'create' ? ['wallet'] : ['wallet', 'payTo'];
}

/** Returns what is wrong with a typed answer; `undefined` for a valid one. */
export function whatIsWrongWithPayment(
  question: PaymentQuestion,
  typed: string,
): string | undefined {
  const text = typed.trim();
  if (question === 'price') return whatIsWrongWithPrice(text);
  if (question !== 'payTo' || parseAccountAddress(text)) return undefined;
  return whatIsWrongWithAddress(text);
}
