import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../cliError.ts';
import { packageRoot } from '../packageRoot.ts';
import type { Report } from '../report.ts';
import { type DemoPayment, describePayment, describeStep } from './demoAccount.ts';
import type { DemoStep } from './demoStep.ts';
import { startExample } from './exampleProgram.ts';

interface DemoOptions {
  readonly facilitatorUrl: string;
  /** `https://`: the published x402 client accepts nothing else. */
  readonly rpcUrl: string;
  readonly certificateAuthorityFile: string;
  readonly friendbotUrl: string;
  readonly report: Report;
}

export interface DemoSeller {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Runs the example's seller and has the example's buyer pay it, reporting each step as it happens.
 * The seller keeps serving until it is stopped.
 * @throws CliError if the payment fails
 */
export async function runDemo(options: DemoOptions): Promise<DemoSeller> {
  const folder = join(packageRoot().folder, 'examples', 'paid-api');
  if (!existsSync(folder)) {
    throw new CliError(
      'failed',
      'The demo payment runs an example that exists only in a checkout of the project. Use --no-demo to skip it.',
    );
  }
  if (!existsSync(join(folder, 'node_modules'))) {
    throw new CliError(
      'failed',
      `The demo payment needs the packages of ${folder}. Run npm ci there, or use --no-demo.`,
    );
  }
  const settings = {
    FACILITATOR_URL: options.facilitatorUrl,
    STELLAR_RPC_URL: options.rpcUrl,
    FRIENDBOT_URL: options.friendbotUrl,
    NODE_EXTRA_CA_CERTS: options.certificateAuthorityFile,
    // The published client queries public Horizon once per payment. If the name server does not answer, this limits the wait on
    // Linux.
    RES_OPTIONS: 'timeout:1 attempts:1',
  };
  const steps = new Steps(options.report);
  const seller = startExample(folder, 'seller.mjs', settings, (step) => steps.take(step));
  try {
    const listening = await Promise.race([
      steps.listening,
      seller.ended.then(() => Promise.reject(steps.failure('seller', seller.errors()))),
    ]);
    const buyer = startExample(
      folder,
      'buyer.mjs',
      { ...settings, RESOURCE_URL: listening.url },
      (step) => steps.take(step),
    );
    await buyer.ended;
    const { challenge, pay, settled, balances } = steps.taken;
    if (!challenge || !pay || !settled || !balances) {
      throw steps.failure('buyer', buyer.errors());
    }
    const payment = { seller: listening, challenge, pay, settled, balances };
    options.report.say(`\n${describePayment(payment)}`, 'paid', payment);
    return { url: listening.url, stop: seller.stop };
  } catch (error) {
    await seller.stop();
    throw error;
  }
}

/** Keeps the last step of each kind, and reports each step when it arrives. */
class Steps {
  readonly taken: { [Name in DemoStep['step']]?: Extract<DemoStep, { step: Name }> } = {};
  readonly listening: Promise<DemoPayment['seller']>;
  readonly #report: Report;
  #onListening: (step: DemoPayment['seller']) => void = () => {};

  constructor(report: Report) {
    this.#report = report;
    this.listening = new Promise((resolve) => {
      this.#onListening = resolve;
    });
  }

  take(step: DemoStep): void {
    Object.assign(this.taken, { [step.step]: step });
    if (step.step === 'listening') this.#onListening(step);
    const text = describeStep(step);
    if (text !== '') this.#report.say(text, 'step', step);
  }

  failure(who: string, errors: string): CliError {
    const reason = this.taken.failed?.message ?? errors;
    return new CliError('failed', `The demo payment failed at the ${who}: ${reason || 'it ended'}`);
  }
}
