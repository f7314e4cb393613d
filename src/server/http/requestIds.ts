import { randomBytes } from 'node:crypto';

/**
 * Names requests: a few random letters for the process and a count. What a client sends as an id is
 * not taken over, so that nobody writes into the log under the id of another.
 */
export function createRequestIds(): () => string {
  const process = randomBytes(4).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}
