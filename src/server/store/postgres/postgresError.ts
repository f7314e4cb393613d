import { StoreError, type StoreErrorCode } from '../storeError.ts';

/** SQLSTATE classes and codes (PostgreSQL manual, appendix A). */
function meaning(state: string): StoreErrorCode {
  if (state === '23505') return 'conflict';
  if (state === '53100') return 'full';
  if (state === '25006') return 'read_only';
  if (state === 'XX001' || state === 'XX002') return 'corrupt';
  // Connections, resources, and a server that shuts down or starts.
  if (/^(08|53|57P)/.test(state)) return 'unreachable';
  return 'failed';
}

/** Whether the transaction conflicted with another one and would succeed if it ran again. */
export function isSerialization(error: unknown): boolean {
  const cause = error instanceof StoreError ? error.cause : error;
  return (
    cause instanceof Error && 'code' in cause && (cause.code === '40001' || cause.code === '40P01')
  );
}

/** Converts a failure of the driver to a StoreError, without the statement's contents. */
export function postgresError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const message = cause instanceof Error ? cause.message : String(cause);
  if (/^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E')) {
    return new StoreError(meaning(code), `${code}: ${message}`, { cause });
  }
  // No SQLSTATE: the error is from the connection, not from the database.
  return new StoreError('unreachable', `the database cannot be reached: ${code || message}`, {
    cause,
  });
}
