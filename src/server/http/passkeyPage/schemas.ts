import { z } from 'zod';
import type { PasskeyTask } from '../../../protocol/policies/index.ts';
import type { PasskeyAnswer } from '../../policies/index.ts';

const text = z.string().min(1).max(2_048);
const address = z.string().max(64);
const keyId = z
  .string()
  .regex(/^[\w-]{1,1400}$/)
  .optional();

/** The request of a program on this machine. */
export const taskSchema: z.ZodType<PasskeyTask> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('create_account'), name: z.string().min(1).max(64) }),
  z.strictObject({ kind: z.literal('deploy'), policyId: text, keyId }),
  z.strictObject({ kind: z.literal('attach'), policyId: text, keyId }),
  z.strictObject({
    kind: z.literal('change_limits'),
    policy: address,
    // The gateway reads it, with all its problems at once.
    definition: z.unknown(),
    keyId,
  }),
  z.strictObject({ kind: z.literal('revoke'), wallet: address, policy: address, keyId }),
  z.strictObject({ kind: z.literal('remove_key'), wallet: address, key: address, keyId }),
  z.strictObject({ kind: z.literal('add_co_signer'), wallet: address, key: address, keyId }),
  z.strictObject({
    kind: z.literal('add_agent'),
    wallet: address,
    agent: address,
    contracts: z.array(address).max(20),
    policies: z.array(address).max(5),
    keyId,
  }),
]);

const bytes = z
  .string()
  .regex(/^[\w-]{1,8192}$/)
  .transform((encoded): Uint8Array => Buffer.from(encoded, 'base64url'));

/** The page's answer. */
export const answerSchema: z.ZodType<PasskeyAnswer> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('made'), keyId: bytes, publicKey: bytes }),
  z.strictObject({
    kind: z.literal('signed'),
    keyId: bytes,
    authenticatorData: bytes,
    clientDataJSON: bytes,
    signature: bytes,
  }),
]);
