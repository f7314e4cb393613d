import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';

/** A process with its parent. */
export interface ProcessPair {
  readonly pid: number;
  readonly parent: number;
}

/**
 * Returns the TCP ports on which a process or one of its descendants listens; empty if the system does not say.
 * @param pid the process at the root of the tree
 */
export async function listeningPorts(pid: number): Promise<readonly number[]> {
  try {
    if (process.platform === 'linux') return await portsOnLinux(pid);
    if (process.platform === 'win32') return await portsOnWindows(pid);
    return await portsOnMac(pid);
  } catch {
    // A process ended meanwhile, or a tool is missing: then the output of the server is what is known.
    return [];
  }
}

/** The root and all processes below it. */
export function processTree(root: number, all: readonly ProcessPair[]): ReadonlySet<number> {
  const tree = new Set([root]);
  for (let before = 0; before < tree.size; ) {
    before = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  return tree;
}

async function portsOnLinux(root: number): Promise<readonly number[]> {
  const sockets = new Set<string>();
  for (const pid of processTree(root, await processesOnLinux())) {
    for (const inode of await socketsOnLinux(pid)) sockets.add(inode);
  }
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/${root}/net/${name}`, 'utf8').catch(() => '')),
  );
  return unique(tables.flatMap((table) => listeningInTable(table, sockets)));
}

/** All processes, from `/proc`. */
export async function processesOnLinux(): Promise<readonly ProcessPair[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      // The name in parentheses can contain anything.
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return { pid: Number(pid), parent };
    }),
  );
}

/** Inodes of the sockets that a process has open; empty if the process is another user's. */
export async function socketsOnLinux(pid: number): Promise<readonly string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const targets = await Promise.all(
    names.map((name) => readlink(`${folder}/${name}`).catch(() => '')),
  );
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
}

/** Ports in the table of `/proc/net/tcp` that listen on one of these sockets. */
export function listeningInTable(table: string, inodes: ReadonlySet<string>): readonly number[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    const port = Number.parseInt(local.split(':')[1] ?? '', 16);
    return state === '0A' && inodes.has(inode) && port > 0 ? [port] : [];
  });
}

async function portsOnMac(root: number): Promise<readonly number[]> {
  const pairs = pairsIn(await output('ps', ['-A', '-o', 'pid=,ppid=']));
  const pids = [...processTree(root, pairs)].join(',');
  const args = ['-nP', '-iTCP', '-sTCP:LISTEN', '-a', '-p', pids, '-Fn'];
  return unique(portsInLsof(await output('lsof', args)));
}

/** Ports in the output of `lsof -Fn`, such as `n*:3000` and `n[::1]:3000`. */
export function portsInLsof(text: string): readonly number[] {
  return [...text.matchAll(/^n.*:(\d+)$/gm)].map(([, port]) => Number(port));
}

const PROCESSES =
  'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId)" }';

async function portsOnWindows(root: number): Promise<readonly number[]> {
  const shell = ['-NoProfile', '-NonInteractive', '-Command', PROCESSES];
  const tree = processTree(root, pairsIn(await output('powershell.exe', shell)));
  return unique(portsInNetstat(await output('netstat.exe', ['-ano', '-p', 'TCP']), tree));
}

/** Ports in the output of `netstat -ano` that these processes listen on. A peer with port 0 marks a listener in each language. */
export function portsInNetstat(text: string, pids: ReadonlySet<number>): readonly number[] {
  return text.split('\n').flatMap((line) => {
    const [protocol, local = '', peer = '', , pid] = line.trim().split(/\s+/);
    const listens = protocol === 'TCP' && peer.endsWith(':0') && pids.has(Number(pid));
    return listens ? [Number(local.slice(local.lastIndexOf(':') + 1))] : [];
  });
}

function pairsIn(text: string): readonly ProcessPair[] {
  return [...text.matchAll(/^\s*(\d+)\s+(\d+)\s*$/gm)].map(([, pid, parent]) => ({
    pid: Number(pid),
    parent: Number(parent),
  }));
}

/** What a program of the system prints; empty if it is missing. */
export function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { timeout: 5_000, windowsHide: true, maxBuffer: 8 * 1024 * 1024 };
    // `lsof` ends with 1 if one of the processes has no such socket, and prints the others.
    execFile(command, [...args], options, (_error, stdout) => resolve(stdout));
  });
}

function unique(ports: readonly number[]): readonly number[] {
  return [...new Set(ports)];
}
