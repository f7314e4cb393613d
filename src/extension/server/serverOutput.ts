/** An escape sequence for a colour or a cursor movement. */
const ESCAPE = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g');
const LOCAL_URL =
  /\bhttps?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:[\d.]+\]):(\d{2,5})/gi;
const PORT_IN_WORDS = /\b(?:on|at|port)\s+(?:port\s+|:)?(\d{2,5})\b/gi;
/** What Node prints when it is debugged: not the server's own port. */
const DEBUGGER = /^.*(?:Debugger listening on|debugger).*$/gim;

/** Text as a terminal shows it, without colours. */
export function plainOutput(output: string): string {
  return output.replace(ESCAPE, '').replace(/\r\n?/g, '\n');
}

/**
 * Returns the ports that a server printed, in the order in which it did: those of URLs of this machine, or else the ones that it
 * names in words, such as "listening on port 8085".
 */
export function printedPorts(output: string): readonly number[] {
  const text = plainOutput(output).replace(DEBUGGER, '');
  const inUrls = portsIn(text, LOCAL_URL);
  return inUrls.length > 0 ? inUrls : portsIn(text, PORT_IN_WORDS);
}

function portsIn(text: string, pattern: RegExp): readonly number[] {
  const ports = [...text.matchAll(pattern)].map(([, digits]) => Number(digits));
  return [...new Set(ports)].filter((port) => port > 0 && port < 65_536);
}

const MAX_LINES = 12;

/** The last lines of a server's output that are not part of a stack trace. */
export function lastLines(output: string): string {
  const lines = plainOutput(output)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !/^\s*at /.test(line));
  return lines.slice(-MAX_LINES).join('\n');
}

/** The packages that a server could not find; empty if that is not why it ended. */
export function missingInOutput(output: string): readonly string[] {
  const text = plainOutput(output);
  const found = text.matchAll(
    /Cannot find (?:package|module) ['"]((?:@[\w.-]+\/)?[\w-][\w.-]*)|Can't resolve ['"]((?:@[\w.-]+\/)?[\w-][\w.-]*)/g,
  );
  return [...new Set([...found].map(([, node, bundler]) => node ?? bundler ?? ''))];
}
