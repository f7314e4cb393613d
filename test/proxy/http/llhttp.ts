import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A request of the tests of llhttp, and how many requests a server may read in it. */
export interface ParserCase {
  readonly name: string;
  readonly bytes: Buffer;
  /** Messages whose headers end before the first error. */
  readonly requests: number;
}

/** The text of a block as bytes: its lines end as HTTP's, and escapes are what they mean. */
function bytesOf(text: string): Buffer {
  const lines = text
    .replace(/\\\r?\n/g, '')
    .replace(/\r?\n/g, '\r\n')
    .replace(/\\([nrtf]|x[0-9a-f]{2})/gi, (_, code: string) => {
      const known: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f' };
      return known[code] ?? String.fromCharCode(Number.parseInt(code.slice(1), 16));
    });
  return Buffer.from(lines.replace(/\r\n$/, ''), 'latin1');
}

/** Reads the cases of requests from a checkout, except those of lenient readers. */
export function llhttpCases(checkout: string): readonly ParserCase[] {
  const folder = join(checkout, 'test', 'request');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md') && !/lenient|pausing/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const blocks =
        /^#+ (.*)\n(?:(?!^#)[\s\S])*?<!-- meta=(\{.*\}) -->\n```http\n([\s\S]*?)\n?```\n(?:(?!^#)[\s\S])*?```log\n([\s\S]*?)```/gm;
      return [...text.matchAll(blocks)].flatMap(([, name = '', meta = '', http = '', log = '']) => {
        const type = String((JSON.parse(meta) as { readonly type?: unknown }).type);
        if (type !== 'request') return [];
        const [before = ''] = log.split(/ error code=/);
        const requests = before.split('headers complete').length - 1;
        return [{ name: `${file}: ${name}`, bytes: bytesOf(http), requests }];
      });
    });
}
