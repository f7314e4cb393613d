// Sends requests with the panel's own logic, without an editor: from the form to what is shown.

import assert from 'node:assert/strict';
import { createActivityLog } from '../../../src/extension/activity/activityLog.ts';
import { openJournal } from '../../../src/extension/earnings/paymentJournal.ts';
import { type PaymentHost, payOnce } from '../../../src/extension/editor/requestPanel/payOnce.ts';
import { nodeTransport } from '../../../src/extension/http/nodeTransport.ts';
import {
  type AnswerShown,
  buildRequest,
  type CookieJar,
  createCookieJar,
  NOTHING_YET,
  type Outcome,
  type RequestForm,
} from '../../../src/extension/request/index.ts';
import { networkAddresses, readSettings } from '../../../src/extension/settings/index.ts';
import type { LocalStack } from '../../support/localStack.ts';

/** What the panel shows in the end. */
export interface Shown {
  readonly outcome: Outcome;
  readonly answer: AnswerShown | undefined;
  /** Text of a stream, piece by piece. */
  readonly streamed: readonly string[];
}

export interface SendOptions {
  readonly jar?: CookieJar | undefined;
  readonly cancelAfterMs?: number | undefined;
  /** The network to pay on; none is needed where nothing is paid. */
  readonly stack?: LocalStack | undefined;
}

/** Sends a request as the panel does. */
export async function sendInPanel(
  form: RequestForm,
  { jar = createCookieJar(), cancelAfterMs, stack }: SendOptions = {},
): Promise<Shown> {
  const built = buildRequest(form);
  assert.ok(built.ok, JSON.stringify(built));
  const controller = new AbortController();
  const timer =
    cancelAfterMs === undefined ? undefined : setTimeout(() => controller.abort(), cancelAfterMs);
  let outcome = NOTHING_YET;
  const streamed: string[] = [];
  await payOnce(hostOn(stack), built.request, {
    signal: controller.signal,
    route: form.url,
    before: undefined,
    show: (next) => {
      outcome = next;
    },
    linkOf: () => undefined,
    jar,
    onStream: (text) => streamed.push(text),
  });
  clearTimeout(timer);
  return { outcome, answer: outcome.answer, streamed };
}

/** What a payment uses of the extension: the extension's own parts, without an editor. */
function hostOn(stack: LocalStack | undefined): PaymentHost {
  const settings = readSettings(() => undefined);
  const nowhere = 'http://127.0.0.1:1';
  return {
    service: { kind: 'stopped' },
    startService: () => Promise.resolve(undefined),
    addresses: {
      ...networkAddresses(settings, undefined),
      rpcUrl: stack?.rpcUrl ?? nowhere,
      horizonUrl: stack?.ledger.urls?.horizon ?? nowhere,
      friendbotUrl: stack?.friendbotUrl ?? nowhere,
    },
    settings,
    transport: nodeTransport(),
    journal: openJournal(
      () => [],
      () => Promise.resolve(),
    ),
    activity: createActivityLog(() => undefined),
    paid: () => undefined,
    log: { info: () => undefined, warn: () => undefined, debug: () => undefined },
  };
}
