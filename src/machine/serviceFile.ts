/** Name of the discovery file in the data folder. It is written with mode 0600. */
export const SERVICE_FILE_NAME = 'service.json';

/**
 * The addresses of a running service. Every part of the product looks them up here; a part that is not running is `null`.
 */
export interface ServiceFile {
  readonly version: 1;
  readonly pid: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly network: {
    /** CAIP-2 id, `stellar:testnet` for the embedded network too. */
    readonly id: string;
    readonly passphrase: string;
    /** Whether the network runs inside this process. */
    readonly embedded: boolean;
    readonly rpcUrl: string;
    /** The same RPC over TLS, for clients that refuse plain HTTP. */
    readonly rpcTlsUrl: string | null;
    /** PEM file to trust for `rpcTlsUrl`, ready for NODE_EXTRA_CA_CERTS. */
    readonly certificateAuthorityFile: string | null;
    readonly horizonUrl: string | null;
    readonly friendbotUrl: string | null;
  };
  readonly facilitatorUrl: string | null;
  readonly policyGatewayUrl: string | null;
  /** Set by a service that an editor started, so that the editor recognizes it. */
  readonly token?: string | undefined;
  /** A token that lets anyone who can read this file request an owner's passkey on a page of the service. */
  readonly passkeyToken?: string | undefined;
  /** A token that lets anyone who can read this file change the catalog (`svc-x402 catalog`). */
  readonly operatorToken?: string | undefined;
  /** Where the operator's routes are; if absent, beside the others of `facilitatorUrl`. */
  readonly operatorUrl?: string | undefined;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const orNull: Check = (value) => value === null || isText(value);
const orAbsent: Check = (value) => value === undefined || isText(value);

/**
 * Validated by hand: the command line and the editor read this file at startup, and loading zod would take longer than
 * everything else here.
 */
const NETWORK: Readonly<Record<keyof ServiceFile['network'], Check>> = {
  id: isText,
  passphrase: isText,
  embedded: (value) => typeof value === 'boolean',
  rpcUrl: isText,
  rpcTlsUrl: orNull,
  certificateAuthorityFile: orNull,
  horizonUrl: orNull,
  friendbotUrl: orNull,
};

const FILE: Readonly<Record<keyof ServiceFile, Check>> = {
  version: (value) => value === 1,
  pid: (value) => Number.isSafeInteger(value) && Number(value) > 0,
  startedAt: isText,
  network: (value) => isShaped(value, NETWORK),
  facilitatorUrl: orNull,
  policyGatewayUrl: orNull,
  token: orAbsent,
  passkeyToken: orAbsent,
  operatorToken: orAbsent,
  operatorUrl: orAbsent,
};

/** Reads the text of the file; `undefined` when it is not a discovery file of this version. */
export function parseServiceFile(text: string): ServiceFile | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isServiceFile(value)) return undefined;
    return { ...known(value, FILE), network: known(value.network, NETWORK) };
  } catch {
    return undefined;
  }
}

/** Writes the file's text. The caller writes it to disk, with mode 0600. */
export function formatServiceFile(file: ServiceFile): string {
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

function isServiceFile(value: unknown): value is ServiceFile {
  return isShaped(value, FILE);
}

function isShaped(value: unknown, shape: Readonly<Record<string, Check>>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = new Map<string, unknown>(Object.entries(value));
  return Object.entries(shape).every(([name, check]) => check(members.get(name)));
}

/** Drops members that no version of this file defines. */
function known<T extends object>(value: T, shape: Readonly<Record<string, Check>>): T {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name in shape)) as T;
}
