import type { SqlValue } from '../../store/index.ts';

/** A statement with the values of its `?`, in order. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** Returns `n` question marks. */
export const marks = (n: number): string => Array.from({ length: n }, () => '?').join(', ');
