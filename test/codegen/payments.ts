import assert from 'node:assert/strict';
import {
  type AddPaymentInput,
  addPayment,
  applyEdits,
  type ChangeResult,
  removePayment,
} from '../../src/codegen/index.ts';

const TERMS = {
  price: '0.01',
  payTo: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
  facilitatorUrl: 'http://127.0.0.1:4021',
  path: 'src/app.ts',
  nextVersion: '16.2.6',
};

/** The text with a payment before the route at some words of it. */
export function added(text: string, at: string, more: Partial<AddPaymentInput> = {}): string {
  return changed(text, addPayment({ ...TERMS, text, offset: place(text, at), ...more }));
}

/** The text without the payment of the route at some words of it. */
export function removed(
  text: string,
  at: string,
  path = TERMS.path,
  dependencies?: readonly string[],
): string {
  return changed(text, removePayment({ path, text, offset: place(text, at), dependencies }));
}

/** Why nothing is added at some words of a text. */
export function addRefused(
  text: string,
  at: string,
  more: Partial<AddPaymentInput> = {},
): string | undefined {
  const result = addPayment({ ...TERMS, text, offset: place(text, at), ...more });
  return result.ok ? undefined : result.refusal.code;
}

/** Why nothing is removed at some words of a text. */
export function removeRefused(text: string, at: string, path = TERMS.path): string | undefined {
  const result = removePayment({ path, text, offset: place(text, at) });
  return result.ok ? undefined : result.refusal.code;
}

function changed(text: string, result: ChangeResult): string {
  assert.ok(result.ok, result.ok ? '' : result.refusal.message);
  for (const { offset, length, text: inserted } of result.edits) {
    assert.ok(offset >= 0 && length >= 0 && offset + length <= text.length, 'an edit of this text');
    assert.ok(length > 0 || inserted !== '', 'an edit that changes something');
  }
  return applyEdits(text, result.edits);
}

function place(text: string, at: string): number {
  const offset = text.indexOf(at);
  assert.ok(offset >= 0, `${at} is not in the text`);
  return offset;
}
