import { randomBytes } from 'node:crypto';

/**
 * Creates request ids from a few random letters for the process and a counter. An id sent by a client is ignored, so that
 * nobody can write to the log under another client's id.
 */
export function createRequestIds(): () => string {
  const process = randomBytes(4).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}
