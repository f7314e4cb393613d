import { readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { DEFAULT_FACILITATOR_PORT } from '../../protocol/index.ts';

/** Ports on which a local service listens. */
export interface ServicePorts {
  readonly facilitator: number;
  readonly network: number;
}

const FILE = 'ports.json';
const DEFAULT_NETWORK_PORT = 8000;
/** Number of ports above the default that are tried before the system picks one. */
const NEIGHBOURS = 20;
/** Number of ports of each kind that are remembered, oldest first. */
const MAX_REMEMBERED = 4;

const portSchema = z.int().check(z.minimum(1), z.maximum(65_535));
const fileSchema = z.object({
  facilitator: z.array(portSchema),
  network: z.array(portSchema),
});

type Remembered = z.infer<typeof fileSchema>;

/** Whether a port of this machine's loopback address is free. */
export type IsFree = (port: number) => Promise<boolean>;

/**
 * Picks the ports for a service. Generated code contains the facilitator's address, so a data folder keeps its first port; its
 * later ports are used while that one is in use.
 * @param setting the facilitator port that the user set
 */
export async function choosePorts(
  dataFolder: string,
  setting: number | undefined,
  isFree: IsFree = isPortFree,
): Promise<ServicePorts> {
  const { facilitator, network } = await readPorts(dataFolder);
  return {
    facilitator:
      setting ?? (await firstFree([...facilitator, ...from(DEFAULT_FACILITATOR_PORT)], isFree)),
    network: await firstFree([...network, ...from(DEFAULT_NETWORK_PORT)], isFree),
  };
}

/** Stores the ports of a service for its next start. */
export async function rememberPorts(dataFolder: string, ports: ServicePorts): Promise<void> {
  const known = await readPorts(dataFolder);
  const next = {
    facilitator: withPort(known.facilitator, ports.facilitator),
    network: withPort(known.network, ports.network),
  };
  if (JSON.stringify(next) === JSON.stringify(known)) return;
  const path = join(dataFolder, FILE);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify(next), { mode: 0o600 });
  await rename(draft, path);
}

async function readPorts(dataFolder: string): Promise<Remembered> {
  try {
    const text = await readFile(join(dataFolder, FILE), 'utf8');
    const parsed = z.safeParse(fileSchema, JSON.parse(text));
    if (parsed.success) return parsed.data;
  } catch {
    // Nothing is remembered yet, or the file is damaged: the default ports are tried.
  }
  return { facilitator: [], network: [] };
}

function withPort(ports: readonly number[], port: number): number[] {
  return ports.includes(port) ? [...ports] : [...ports, port].slice(0, MAX_REMEMBERED);
}

function from(port: number): number[] {
  return Array.from({ length: NEIGHBOURS }, (_, index) => port + index);
}

/** The first free port, or 0, which lets the system pick, if all are in use. */
async function firstFree(ports: readonly number[], isFree: IsFree): Promise<number> {
  for (const port of ports) if (await isFree(port)) return port;
  return 0;
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
