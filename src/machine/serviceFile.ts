import * as z from 'zod/mini';

/** Name of the discovery file in the data folder. It is written with mode 0600. */
export const SERVICE_FILE_NAME = 'service.json';

/**
 * Where a running service can be found. Every part of the product looks addresses up here;
 * a part that is not running is `null`. (`zod/mini`: the editor extension reads this file and its
 * bundle must stay small.)
 */
export const serviceFileSchema = z.object({
  version: z.literal(1),
  pid: z.int().check(z.positive()),
  /** ISO 8601. */
  startedAt: z.string(),
  network: z.object({
    /** CAIP-2 id, `stellar:testnet` for the embedded network too. */
    id: z.string(),
    passphrase: z.string(),
    /** Whether the network runs inside this process. */
    embedded: z.boolean(),
    rpcUrl: z.string(),
    /** The same RPC over TLS, for clients that refuse plain HTTP. */
    rpcTlsUrl: z.nullable(z.string()),
    /** PEM file to trust for `rpcTlsUrl`, ready for NODE_EXTRA_CA_CERTS. */
    certificateAuthorityFile: z.nullable(z.string()),
    horizonUrl: z.nullable(z.string()),
    friendbotUrl: z.nullable(z.string()),
  }),
  facilitatorUrl: z.nullable(z.string()),
  policyGatewayUrl: z.nullable(z.string()),
  /** Set by a service that an editor started, so that the editor recognizes it. */
  token: z.optional(z.string()),
  /** Lets anyone who can read this file request an owner's passkey on a page of the service. */
  passkeyToken: z.optional(z.string()),
  /** Lets anyone who can read this file change the catalog (`svc-x402 catalog`). */
  operatorToken: z.optional(z.string()),
});

export type ServiceFile = z.infer<typeof serviceFileSchema>;

/** Reads the text of the file; `undefined` when it is not a discovery file of this version. */
export function parseServiceFile(text: string): ServiceFile | undefined {
  try {
    const parsed = z.safeParse(serviceFileSchema, JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the file's text. The caller writes it to disk, with mode 0600. */
export function formatServiceFile(file: ServiceFile): string {
  return `${JSON.stringify(file, undefined, 2)}\n`;
}
