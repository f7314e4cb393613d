import type { ReplyReader } from './codec.ts';
import { HostRefusal, HostTrap } from './hostInstance.ts';
import type { HostError } from './types.ts';

/** `ScError` XDR: context (2), internal error (7). */
const CONTEXT_INTERNAL = Uint8Array.of(0, 0, 0, 2, 0, 0, 0, 7);

/** Reads an error that `network/host/src/failure.rs` wrote. */
export function readHostError(reply: ReplyReader): HostError {
  const internal = reply.bool();
  const scError = reply.bytes();
  const summary = reply.text();
  const message = reply.text();
  return { kind: 'host', internal, scError, summary, message: message === '' ? summary : message };
}

/** The error of a call that did not return an answer. */
export function brokenCall(problem: HostTrap | HostRefusal): HostError {
  const trap = problem instanceof HostTrap;
  return {
    kind: trap ? 'trap' : 'badInput',
    internal: trap,
    scError: CONTEXT_INTERNAL.slice(),
    summary: problem.message,
    message: problem.message,
  };
}

export const isBroken = (value: unknown): value is HostTrap | HostRefusal =>
  value instanceof HostTrap || value instanceof HostRefusal;
