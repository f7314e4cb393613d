import { readFile } from 'node:fs/promises';
import {
  listeningInTable,
  output,
  type ProcessPair,
  processesOnLinux,
  processTree,
  socketsOnLinux,
} from './listeningPorts.ts';

/** A TCP port on which a program of this machine listens. */
export interface OpenPort {
  readonly port: number;
  /** How the program was started, shortened, such as `python3 app.py`; empty if the system does not say. */
  readonly program: string;
  /** Whether its process was started below one of the roots. */
  readonly isOwn: boolean;
}

/** A process that listens. */
interface Listener {
  readonly pid: number;
  readonly port: number;
}

/** A process with the command that started it. */
interface Started extends ProcessPair {
  readonly command: string;
}

/**
 * Returns the TCP ports on which programs of this machine listen, those below the roots first, each part by number. Those of
 * other users have no program, and are left out where the system hides them; empty if it does not say.
 * @param roots processes, such as terminals, whose descendants are `isOwn`
 */
export async function openPorts(roots: readonly number[]): Promise<readonly OpenPort[]> {
  try {
    const { platform } = process;
    const [processes, listeners] =
      platform === 'linux'
        ? await onLinux()
        : platform === 'win32'
          ? await onWindows()
          : await onMac();
    return describePorts(processes, listeners, roots);
  } catch {
    // A tool is missing: then the user types the port.
    return [];
  }
}

/** One entry for each port, in the order in which they are offered. */
export function describePorts(
  processes: readonly Started[],
  listeners: readonly Listener[],
  roots: readonly number[],
): readonly OpenPort[] {
  const own = new Set(roots.flatMap((root) => [...processTree(root, processes)]));
  const commands = new Map(processes.map(({ pid, command }) => [pid, command]));
  const found = new Map<number, OpenPort>();
  for (const { pid, port } of listeners) {
    // A server and its workers share a port: the first is the one that was started.
    if (found.has(port)) continue;
    const program = shortCommand(commands.get(pid) ?? '');
    found.set(port, { port, program, isOwn: own.has(pid) });
  }
  return [...found.values()].sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || a.port - b.port);
}

const MAX_COMMAND = 60;

/** A command without the folders of its program and arguments. */
export function shortCommand(command: string): string {
  const words = command
    .split(/\s+/)
    .map((word) => word.replace(/^(?:.*[\\/])(?=[^\\/]+$)/, ''))
    .join(' ')
    .trim();
  return words.length > MAX_COMMAND ? `${words.slice(0, MAX_COMMAND)}…` : words;
}

type Found = readonly [readonly Started[], readonly Listener[]];

async function onLinux(): Promise<Found> {
  const pairs = await processesOnLinux();
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const listeners: Listener[] = [];
  const commands = new Map<number, string>();
  for (const { pid } of pairs) {
    const sockets = new Set(await socketsOnLinux(pid));
    const ports = sockets.size === 0 ? [] : tables.flatMap((one) => listeningInTable(one, sockets));
    if (ports.length === 0) continue;
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    commands.set(pid, line.replaceAll('\0', ' '));
    for (const port of ports) listeners.push({ pid, port });
  }
  return [pairs.map((pair) => ({ ...pair, command: commands.get(pair.pid) ?? '' })), listeners];
}

async function onMac(): Promise<Found> {
  const processes = startedIn(await output('ps', ['-A', '-o', 'pid=,ppid=,args=']));
  const lines = await output('lsof', ['-nP', '-iTCP', '-sTCP:LISTEN', '-Fpn']);
  return [processes, listenersInLsof(lines)];
}

/** Listeners in the output of `lsof -Fpn`: a process, then its sockets. */
export function listenersInLsof(text: string): readonly Listener[] {
  const listeners: Listener[] = [];
  let pid = 0;
  for (const line of text.split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1));
    const port = Number(/^n.*:(\d+)$/.exec(line)?.[1]);
    if (port > 0) listeners.push({ pid, port });
  }
  return listeners;
}

const PROCESSES =
  'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.Name)" }';

async function onWindows(): Promise<Found> {
  const shell = ['-NoProfile', '-NonInteractive', '-Command', PROCESSES];
  const processes = startedIn(await output('powershell.exe', shell));
  const table = await output('netstat.exe', ['-ano', '-p', 'TCP']);
  return [processes, listenersInNetstat(table)];
}

/** Listeners in the output of `netstat -ano`. A peer with port 0 marks a listener in each language. */
export function listenersInNetstat(text: string): readonly Listener[] {
  return text.split('\n').flatMap((line) => {
    const [protocol, local = '', peer = '', , pid] = line.trim().split(/\s+/);
    const listens = protocol === 'TCP' && peer.endsWith(':0');
    return listens
      ? [{ pid: Number(pid), port: Number(local.slice(local.lastIndexOf(':') + 1)) }]
      : [];
  });
}

function startedIn(text: string): readonly Started[] {
  return [...text.matchAll(/^[ \t]*(\d+)[ \t]+(\d+)\b(.*)$/gm)].map(
    ([, pid, parent, command = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      command: command.trim(),
    }),
  );
}
