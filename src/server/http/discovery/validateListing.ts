import { z } from 'zod';
import type { ReadBody } from '../../../machine/index.ts';
import { X402_VERSION } from '../../../protocol/index.ts';
import type { DiscoveryValidation } from '../../../protocol/wire/index.ts';
import type { Catalog } from '../../catalog/index.ts';
import { BadParameter } from './parameters.ts';
import { wireEntry } from './wireEntry.ts';

/** Body of `POST /discovery/validate`. */
export const validationRequestSchema = z.union([
  /** A URL to ask for its challenge. */
  z.object({
    url: z.string().max(2_048),
    /** The route's method. Default: GET, then POST if the route does not have GET. */
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  }),
  /** `resource` and `extensions` as a challenge has them, and the recipient. */
  z.object({
    resource: z.unknown().optional(),
    extensions: z.record(z.string(), z.unknown()),
    payTo: z.string().max(256).optional(),
    /** The challenge's payment terms, to judge whether they can settle here. */
    accepts: z.array(z.unknown()).max(100).optional(),
    /** The value of `WWW-Authenticate`, to judge its challenges of MPP. */
    wwwAuthenticate: z.string().max(16_384).optional(),
  }),
]);

function parse(read: ReadBody): z.infer<typeof validationRequestSchema> {
  if (read.status === 'too_large') throw new BadParameter('body_too_large');
  try {
    const body: unknown = read.status === 'whole' ? JSON.parse(read.text) : undefined;
    return validationRequestSchema.parse(body);
  } catch {
    throw new BadParameter('invalid_declaration');
  }
}

/** `POST /discovery/validate`: "why am I not listed?", rule by rule. */
export async function validateListing(
  catalog: Catalog,
  read: ReadBody,
): Promise<DiscoveryValidation> {
  const body = parse(read);
  const { resource, listed, rules, wouldBeListed } = await catalog.validate(
    'url' in body
      ? body
      : {
          declared: { resource: body.resource, extensions: body.extensions },
          payTo: body.payTo,
          accepts: body.accepts,
          authenticate: body.wwwAuthenticate,
        },
  );
  return {
    x402Version: X402_VERSION,
    wouldBeListed,
    ...(resource === undefined ? {} : { resource }),
    ...(listed === undefined ? {} : { listed: wireEntry(listed) }),
    rules: [...rules],
  };
}
