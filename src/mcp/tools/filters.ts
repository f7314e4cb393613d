import { z } from 'zod';
import { PAYMENT_PROTOCOLS } from '../../protocol/index.ts';

/**
 * Parameters of both tools: those of the specification (Discovery tools) and further filters of the service's catalog. A
 * catalog that does not support one names it in `unappliedFilters`.
 */
export const filters = {
  type: z.enum(['http', 'mcp']).optional().describe('Kind of resource'),
  payTo: z.string().max(69).optional().describe('Stellar address that is paid'),
  network: z.string().max(64).optional().describe('Network id, such as stellar:testnet'),
  limit: z.int().min(1).max(100).optional().describe('Maximum number of entries'),
  maxUsdPrice: z
    .string()
    .regex(/^\d{1,32}(\.\d{1,7})?$/)
    .optional()
    .describe('Maximum price of a request in USDC, such as "0.01"'),
  urlSubstring: z.string().max(256).optional().describe('A part of the URL, in any letter case'),
  minSettlements: z
    .int()
    .min(0)
    .optional()
    .describe('Minimum number of payments seen on the ledger'),
  ownerVerified: z
    .boolean()
    .optional()
    .describe(
      "True for resources whose own payment terms name the recipient; they don't imply quality",
    ),
  protocol: z
    .enum(PAYMENT_PROTOCOLS)
    .optional()
    .describe('Protocol in which the catalog saw the resource ask for payment'),
};

/** A parameter of the specification that the service refuses when it is true: accepted, but not offered to models. */
export const unoffered = { verified_only: z.boolean().optional() };
