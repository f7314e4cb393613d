import { createPublicKey, verify } from 'node:crypto';
import type { ReceiptFile, VerifyEd25519 } from '../../protocol/receipts/index.ts';
import { type Judgement, judgeReceipt, type ReceiptReaders } from './judgeReceipt.ts';

/** DER of a public Ed25519 key up to its 32 bytes (RFC 8410). */
const PUBLIC_DER = Buffer.from('302a300506032b6570032100', 'hex');

/** A key that is not a point of the curve verifies nothing. */
const nodeEd25519: VerifyEd25519 = (publicKey, bytes, signature) => {
  try {
    const der = Buffer.concat([PUBLIC_DER, publicKey]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(null, bytes, key, signature);
  } catch {
    return false;
  }
};

export interface VerifyOptions {
  /** What is asked besides the file: `webReaders()`, `ledgerReaders(rpcUrl)`, or your own. Default: nothing. */
  readonly readers?: ReceiptReaders | undefined;
  /** In seconds since 1970. Default: now. */
  readonly now?: number | undefined;
}

/**
 * Verifies what a seller signed, against the request, the terms and the payment in the file. Says in words what holds, what does
 * not and why, and what stays open because nobody was asked. Never throws for what a seller or a stranger wrote.
 */
export function verifyReceiptFile(
  file: ReceiptFile,
  { readers, now = Math.floor(Date.now() / 1_000) }: VerifyOptions = {},
): Promise<Judgement> {
  return judgeReceipt(file, { verifyEd25519: nodeEd25519, now, readers });
}
