import type {
  PaidEvidence,
  UnknownBecause,
  VoidEvidence,
} from '../../../src/protocol/fate/index.ts';
import type { MoneyMoved } from '../../../src/protocol/index.ts';

/**
 * What a statement is about: a state of an authorization; `each`, if it says whichever of them holds at that moment; `none`, if
 * no authorization exists that it could be about.
 */
export type StatedState = 'paid' | 'open' | 'void' | 'unknown' | 'each' | 'none';

/** What a state is derived from; `not_asked` if the answer comes before anything could be looked up. */
export type Evidence = PaidEvidence | VoidEvidence | UnknownBecause | 'not_asked';

/** A test that holds a statement: its file and its title, or the constant part of one. */
export type TestName = readonly [file: string, title: string];

/** Which statements of a file a row is for. */
interface Place {
  /** Declarations, as the scan names them, those inside included; every one of a page if left out. */
  readonly at?: string | readonly string[];
  /** Parts of the statements' words. In a declaration with a single statement they may be left out. */
  readonly says?: string | readonly string[];
}

/** A statement about money. */
export interface Claim extends Place {
  readonly state: StatedState | readonly StatedState[];
  readonly evidence?: Evidence | readonly Evidence[];
  /** How the state reaches this place, in words. */
  readonly from: string;
  readonly test: TestName;
  /** A finding that shows that the statement says more than is known at present; removed with its fix. */
  readonly finding?: string;
}

/** Words about money that state nothing about an authorization. */
export interface NoClaim extends Place {
  /** What they are about. */
  readonly about: string;
}

export type Row = Claim | NoClaim;

export interface FileRows {
  readonly file: string;
  readonly rows: readonly Row[];
}

export function isClaim(row: Row): row is Claim {
  return 'state' in row;
}

/** Returns a member that may be one value, several or none as a list. */
export function listOf<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}

/** Values for programs that agree with a state; `unknown` claims nothing. */
export const VALUES_OF: Readonly<Record<StatedState, readonly MoneyMoved[]>> = {
  paid: ['yes', 'unknown'],
  open: ['not_yet', 'unknown'],
  void: ['no', 'fees', 'unknown'],
  unknown: ['unknown'],
  none: ['no', 'unknown'],
  each: ['no', 'not_yet', 'yes', 'fees', 'unknown'],
};

/** Evidence that proves a state, or why it is not known. */
export const EVIDENCE_OF: Readonly<Record<StatedState, readonly Evidence[]>> = {
  paid: ['journal', 'nonce', 'movement', 'contract_record'],
  open: [],
  void: [
    'never_valid',
    'unused_at_expiration',
    'searched',
    'nonce_used_otherwise',
    'settled_at_zero',
  ],
  unknown: [
    'unreadable',
    'history_too_short',
    'too_many_movements',
    'user_of_nonce_not_found',
    'token_may_be_silent',
    'shows_nothing',
    'network_reset',
    'not_asked',
  ],
  none: [],
  each: [],
};
