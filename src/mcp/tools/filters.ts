import { z } from 'zod';

/** Parameters that both tools have (spec: Discovery tools). */
export const filters = {
  type: z.enum(['http', 'mcp']).optional().describe('Kind of resource'),
  payTo: z.string().max(69).optional().describe('Stellar address that is paid'),
  network: z.string().max(64).optional().describe('Network id, such as stellar:testnet'),
  limit: z.int().min(1).max(100).optional().describe('Entries at most (default 20)'),
  verified_only: z
    .boolean()
    .optional()
    .describe('The service refuses true; read trust.ownerVerified of each resource instead'),
};
