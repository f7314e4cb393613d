import { z } from 'zod';
import {
  PAYMENT_PROTOCOLS,
  type PaymentProtocol,
  STELLAR_TESTNET,
  USDC_CONTRACT,
  X402_VERSION,
} from '../../../protocol/index.ts';
import { type SupportedResponse, supportedResponseSchema } from '../../../protocol/wire/index.ts';

const endpoint = z.string().describe('Path below baseUrl');

/** The manifest of a facilitator (draft-hawkins-x402-dns-discovery-02; x402's extension `discovery`). */
export const manifestSchema = z.object({
  x402Version: z.literal(X402_VERSION),
  kind: z.literal('facilitator'),
  name: z.string(),
  description: z.string(),
  facilitator: z.object({
    baseUrl: z.string(),
    endpoints: z.object({
      supported: endpoint,
      verify: endpoint,
      settle: endpoint,
      discovery: endpoint.describe('The catalog: all listings of all hosts'),
      search: endpoint,
      mcp: endpoint.optional(),
    }),
    kinds: supportedResponseSchema.shape.kinds,
    assets: z.array(
      z.object({
        network: z.string(),
        address: z.string(),
        symbol: z.string(),
        decimals: z.int(),
        standard: z.string(),
      }),
    ),
  }),
  resources: z
    .array(
      z.object({
        url: z.string(),
        method: z.string().optional(),
        description: z.string().optional(),
        protocols: z
          .array(z.enum(PAYMENT_PROTOCOLS))
          .optional()
          .describe('In which the catalog saw it ask for payment'),
      }),
    )
    .describe(
      "The listings on this host, without prices, which are in each resource's 402 response",
    ),
  attestation: z.object({ type: z.literal('none') }),
  docs: z.string(),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** The part of a listing that the manifest contains. */
interface Listed {
  readonly resource: string;
  readonly type?: string | undefined;
  readonly method?: string | undefined;
  readonly description?: string | undefined;
  readonly trust?: { readonly protocols?: readonly PaymentProtocol[] | undefined } | undefined;
}

/** A URL template such as `/weather/:city` stands for many URLs and cannot be fetched. */
const TEMPLATE = /\/:[^/]*|\*/;

/**
 * Returns the manifest of a service at `base`. It leaves out entries of other hosts, because readers fetch its URLs and
 * a host can vouch only for its own.
 * @param base origin under which the reader asked
 */
export function manifestOf(
  base: URL,
  { kinds }: SupportedResponse,
  listed: readonly Listed[],
  hasMcp: boolean,
): Manifest {
  return {
    x402Version: X402_VERSION,
    kind: 'facilitator',
    name: 'Svc x402 for Stellar',
    description: 'x402 facilitator and catalog for USDC on the Stellar test network.',
    facilitator: {
      baseUrl: base.origin,
      endpoints: {
        supported: '/supported',
        verify: '/verify',
        settle: '/settle',
        discovery: '/discovery/resources',
        search: '/discovery/search',
        ...(hasMcp ? { mcp: '/mcp' } : {}),
      },
      kinds,
      assets: [
        {
          network: STELLAR_TESTNET,
          address: USDC_CONTRACT,
          symbol: 'USDC',
          decimals: 7,
          standard: 'SEP-41',
        },
      ],
    },
    resources: listed
      .filter(({ resource, type }) => type === 'http' && isOn(base.hostname, resource))
      .map(({ resource: url, method, description, trust }) => ({
        url,
        ...(method === undefined ? {} : { method }),
        ...(description === undefined ? {} : { description }),
        ...(trust?.protocols === undefined ? {} : { protocols: [...trust.protocols] }),
      })),
    attestation: { type: 'none' },
    docs: `${base.origin}/catalog`,
  };
}

/** Whether a URL is on this host or below its domain, and can be fetched. */
function isOn(host: string, resource: string): boolean {
  const { hostname, pathname } = new URL(resource);
  return (hostname === host || hostname.endsWith(`.${host}`)) && !TEMPLATE.test(pathname);
}
