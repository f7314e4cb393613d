import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import {
  HostFile,
  hostFileName,
  loadHost,
  type SorobanHost,
  WasmSorobanHost,
} from './host/index.ts';

/** The protocols whose Soroban hosts come with the package, oldest first. */
export const SUPPORTED_PROTOCOLS = [27, 28] as const;

export type SupportedProtocol = (typeof SUPPORTED_PROTOCOLS)[number];

/** The default protocol of a new network. */
export const DEFAULT_PROTOCOL: SupportedProtocol = 28;

/** A loaded Soroban host. */
export interface LoadedHost {
  readonly host: SorobanHost;
  /** SHA-256 of its module, truncated to 40 hex digits, the length of a commit id. */
  readonly digest: string;
  /** Prepares it in the background for the first call. */
  prepare(): Promise<void>;
}

/** A source of Soroban hosts. */
export interface HostSource {
  readonly protocols: readonly number[];
  /** Protocol of a new network. */
  readonly preferred: number;
  /** @throws UnsupportedProtocolError, HostNotInstalledError, HostCallError */
  load(protocol: number): Promise<LoadedHost>;
}

/** No host for this protocol is available. */
export class UnsupportedProtocolError extends Error {
  override readonly name = 'UnsupportedProtocolError';
  readonly code = 'UNSUPPORTED_PROTOCOL';

  constructor(protocol: number, protocols: readonly number[]) {
    super(`Protocol ${protocol} isn't supported. Choose one of ${protocols.join(', ')}.`);
  }
}

/** The host of a protocol is in a package of its own, which is not installed. */
export class HostNotInstalledError extends Error {
  override readonly name = 'HostNotInstalledError';
  readonly code = 'HOST_NOT_INSTALLED';

  constructor(protocol: number, packageName: string) {
    super(`The host of protocol ${protocol} isn't installed. Install the package ${packageName}.`);
  }
}

/**
 * The hosts that a network can run: the one it was given, or those that come with the package.
 * @param given bytes or path of a module
 * @throws HostCallError if the given module is not a host
 */
export async function hostSource(
  given: Uint8Array | string | undefined,
  protocol: number | undefined,
): Promise<HostSource> {
  if (given !== undefined) return await onlyHost(await open(given), protocol);
  if (protocol !== undefined && !isSupported(protocol)) {
    throw new UnsupportedProtocolError(protocol, SUPPORTED_PROTOCOLS);
  }
  return {
    protocols: SUPPORTED_PROTOCOLS,
    preferred: protocol ?? DEFAULT_PROTOCOL,
    load: async (wanted) => {
      if (!isSupported(wanted)) throw new UnsupportedProtocolError(wanted, SUPPORTED_PROTOCOLS);
      return shipped(wanted);
    },
  };
}

async function onlyHost(loaded: LoadedHost, protocol: number | undefined): Promise<HostSource> {
  const protocols = [loaded.host.protocol];
  if (protocol !== undefined && protocol !== loaded.host.protocol) {
    throw new UnsupportedProtocolError(protocol, protocols);
  }
  return {
    protocols,
    preferred: loaded.host.protocol,
    load: async (wanted) => {
      if (wanted !== loaded.host.protocol) throw new UnsupportedProtocolError(wanted, protocols);
      return loaded;
    },
  };
}

/** @throws HostNotInstalledError */
function shipped(protocol: SupportedProtocol): LoadedHost {
  const file = new HostFile(moduleOf(protocol), protocol);
  return {
    host: new WasmSorobanHost(file),
    get digest() {
      return file.digest;
    },
    prepare: () => file.prepare(),
  };
}

async function open(module: Uint8Array | string): Promise<LoadedHost> {
  const bytes = typeof module === 'string' ? await readFile(module) : module;
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 40);
  return { host: await loadHost(bytes), digest, prepare: () => Promise.resolve() };
}

export function isSupported(protocol: number): protocol is SupportedProtocol {
  return SUPPORTED_PROTOCOLS.some((one) => one === protocol);
}

/**
 * Next to the bundle that contains this code, in the source tree, or in a package of its own: the package of the network comes
 * with one host.
 * @throws HostNotInstalledError
 */
function moduleOf(protocol: SupportedProtocol): string {
  const name = hostFileName(protocol);
  for (const place of [`./${name}`, `../host/${name}`]) {
    const path = fileURLToPath(new URL(place, import.meta.url));
    if (existsSync(path)) return path;
  }
  const packageName = `svc-stellar-network-${protocol}`;
  try {
    return createRequire(import.meta.url).resolve(`${packageName}/${name}`);
  } catch {
    throw new HostNotInstalledError(protocol, packageName);
  }
}
