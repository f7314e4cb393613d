import { randomBytes } from 'node:crypto';
import type {
  PasskeyOpened,
  PasskeyPageRequest,
  PasskeyState,
  PasskeyStatus,
  PasskeyTask,
} from '../../../protocol/policies/index.ts';
import type { Clock } from '../../clock.ts';
import { PolicyError } from '../policyError.ts';
import { PasskeyError } from './passkeyError.ts';
import {
  type PasskeyAnswer,
  type PreparedTask,
  prepareTask,
  type TaskParts,
} from './prepareTask.ts';

/**
 * Requests for an owner's passkey: one at a time, each for one task and with an expiration. The caller
 * that opens one gets its id, to follow it, and the token of its page for the browser.
 */
export interface Passkeys {
  /** @throws PasskeyError, PolicyError if the task cannot work, before anybody is prompted */
  open(task: PasskeyTask): Promise<PasskeyOpened>;
  /** Returns its status. A request that is no longer polled is abandoned. @throws PasskeyError `page_not_found` */
  status(id: string): PasskeyStatus;
  cancel(id: string): PasskeyStatus;
  /** Returns what its page shows. @throws PasskeyError `page_not_found`, `request_over` */
  page(token: string): PasskeyPageRequest;
  /** Accepts the browser's answer once. @throws PasskeyError `page_not_found`, `request_over` */
  answer(token: string, answer: PasskeyAnswer): Promise<PasskeyStatus>;
  decline(token: string): PasskeyStatus;
}

const LIFE_MS = 300_000;
/** Longest pause between two polls of the caller: a closed window no longer polls. */
const ABANDONED_MS = 30_000;
/** Finished requests whose status is still available. */
const REMEMBERED = 20;

interface Request {
  readonly id: string;
  readonly token: string;
  readonly page: PasskeyPageRequest;
  readonly task: PreparedTask;
  state: PasskeyState;
  seenAt: number;
  outcome: PasskeyStatus['outcome'];
  problem: PasskeyStatus['problem'];
}

const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

export function openPasskeys(parts: TaskParts, clock: Clock): Passkeys {
  const requests: Request[] = [];
  let preparing = false;

  /** Ends a request that has expired, or that is no longer polled. */
  function age(request: Request): Request {
    const now = clock.now();
    const over = now > request.page.expiresAt || now - request.seenAt > ABANDONED_MS;
    if (request.state === 'waiting' && over) request.state = 'expired';
    return request;
  }

  function find(name: 'id' | 'token', value: string): Request {
    const found = requests.find((request) => request[name] === value);
    if (found === undefined) throw new PasskeyError('page_not_found');
    return age(found);
  }

  function waiting(token: string): Request {
    const request = find('token', token);
    if (request.state !== 'waiting') throw new PasskeyError('request_over');
    return request;
  }

  function told({ id, state, outcome, problem }: Request): PasskeyStatus {
    return { id, state, outcome, problem };
  }

  function cancelled(request: Request): PasskeyStatus {
    if (request.state === 'waiting') request.state = 'cancelled';
    return told(request);
  }

  return {
    async open(task) {
      const busy = requests.some((one) => ['waiting', 'working'].includes(age(one).state));
      if (preparing || busy) throw new PasskeyError('request_pending');
      preparing = true;
      try {
        const prepared = await prepareTask(task, parts);
        const { words, challenge } = prepared;
        const now = clock.now();
        const request: Request = {
          id: encode(randomBytes(24)),
          token: encode(randomBytes(24)),
          task: prepared,
          page: {
            ...words,
            action: challenge === undefined ? 'create' : 'sign',
            challenge: encode(challenge ?? randomBytes(32)),
            keyId: ('keyId' in task ? task.keyId : undefined) ?? null,
            user: 'name' in task ? task.name : null,
            expiresAt: now + LIFE_MS,
          },
          state: 'waiting',
          seenAt: now,
          outcome: null,
          problem: null,
        };
        requests.push(request);
        if (requests.length > REMEMBERED) requests.shift();
        const { id, token, page } = request;
        return { id, page: `/passkeys/page/${token}`, expiresAt: page.expiresAt };
      } finally {
        preparing = false;
      }
    },
    status(id) {
      const request = find('id', id);
      request.seenAt = clock.now();
      return told(request);
    },
    cancel: (id) => cancelled(find('id', id)),
    page: (token) => waiting(token).page,
    async answer(token, answer) {
      const request = waiting(token);
      request.state = 'working';
      try {
        const outcome = await request.task.complete(answer);
        request.outcome = { ...outcome, keyId: encode(answer.keyId) };
        request.state = 'done';
      } catch (error) {
        const known = error instanceof PasskeyError || error instanceof PolicyError;
        request.problem = known
          ? { code: error.code, message: error.message }
          : { code: 'internal_error', message: 'Internal error.' };
        request.state = 'failed';
        if (!known) throw error;
      }
      return told(request);
    },
    decline: (token) => cancelled(waiting(token)),
  };
}
