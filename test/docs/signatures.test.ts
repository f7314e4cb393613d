import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { paymentHeaders } from '../../src/proxy/headers.ts';

const page = readFileSync(
  fileURLToPath(new URL('../../docs/proxy-signatures.md', import.meta.url)),
  'utf8',
);
const codeOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)?.[1] ?? '';

const NOW = 1_795_000_000;
const SECRET = 'a secret of the test, ümlaut';
type Case = readonly [method: string, target: string, headers: Readonly<Record<string, string>>];

function signed(time: number, method: string, target: string): Record<string, string> {
  const facts = {
    paid: {
      payment: { amount: 100_000n },
      payer: 'GPAYER',
      protocol: { name: 'x402' },
    },
    ...{ asset: 'CUSDC', transaction: 'abc', method, target, time },
  } as unknown as Parameters<typeof paymentHeaders>[0];
  return Object.fromEntries(
    paymentHeaders(facts, SECRET).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

const good = signed(NOW, 'GET', '/weather/Oslo%20S?days=3&x=%2f');
const without = (name: string) =>
  Object.fromEntries(Object.entries(good).filter(([each]) => each !== name));
const TARGET = '/weather/Oslo%20S?days=3&x=%2f';
const TRUE: readonly Case[] = [
  ['GET', TARGET, good],
  ['POST', '/', signed(NOW - 299, 'POST', '/')],
  ['GET', '/é', signed(NOW + 299, 'GET', '/é')],
];
const FALSE: readonly Case[] = [
  ['POST', TARGET, good],
  ['GET', '/weather/Oslo S?days=3&x=%2f', good],
  ['GET', '/weather/Oslo%20S', good],
  ...Object.keys(good).map((name): Case => ['GET', TARGET, without(name)]),
  ...Object.keys(good).map((name): Case => ['GET', TARGET, { ...good, [name]: `${good[name]}0` }]),
  ['GET', TARGET, { ...good, 'x402-amount': '1' }],
  ['GET', TARGET, { ...good, 'x402-signature': 'v1=' }],
  ['GET', TARGET, { ...good, 'x402-signature': (good['x402-signature'] ?? '').slice(3) }],
  ['GET', '/', signed(NOW - 301, 'GET', '/')],
  ['GET', '/', signed(NOW + 301, 'GET', '/')],
  ['GET', '/', {}],
  ['GET', '/', { ...signed(NOW, 'GET', '/'), 'x402-time': 'now' }],
  ['GET', '/', { ...signed(NOW, 'GET', '/'), 'x402-time': `-${NOW}` }],
];

/** A line for each case: method, target, and headers with `=` after their names. */
const INPUT = [...TRUE, ...FALSE]
  .map(([method, target, headers]) =>
    [method, target, ...Object.entries(headers).map(([name, value]) => `${name}=${value}`)].join(
      '\t',
    ),
  )
  .join('\n');

interface Language {
  readonly name: string;
  readonly file: string;
  readonly command: readonly string[];
  /** The function in a program that prints true or false for each line of its input. */
  readonly program: (code: string) => string;
}

const LANGUAGES: readonly Language[] = [
  {
    ...{ name: 'python', file: 'check.py', command: ['python3'] },
    program: (code) => `${code}
import sys
for line in sys.stdin.buffer.read().decode().split("\\n"):
    method, target, *headers = line.split("\\t")
    named = dict(each.split("=", 1) for each in headers)
    print("true" if is_paid(${JSON.stringify(SECRET)}, method, target, named, ${NOW}) else "false")
`,
  },
  {
    ...{ name: 'js', file: 'check.mjs', command: [process.execPath] },
    program: (code) => `${code}
import { readFileSync } from 'node:fs';
for (const line of readFileSync(0, 'utf8').split('\\n')) {
  const [method, target, ...headers] = line.split('\\t');
  const named = Object.fromEntries(headers.map((each) => [each.split('=')[0], each.slice(each.indexOf('=') + 1)]));
  console.log(isPaid(${JSON.stringify(SECRET)}, method, target, named, ${NOW}));
}
`,
  },
  {
    ...{ name: 'go', file: 'check.go', command: ['go', 'run'] },
    program: (code) => `package main
${code.replace('import (', 'import (\n\t"fmt"\n\t"io"\n\t"os"')}
func main() {
	input, _ := io.ReadAll(os.Stdin)
	for _, line := range strings.Split(string(input), "\\n") {
		parts := strings.Split(line, "\\t")
		named := map[string]string{}
		for _, each := range parts[2:] {
			at := strings.Index(each, "=")
			named[each[:at]] = each[at+1:]
		}
		fmt.Println(IsPaid(${JSON.stringify(SECRET)}, parts[0], parts[1], named, ${NOW}))
	}
}
`,
  },
  {
    ...{ name: 'php', file: 'check.php', command: ['php'] },
    program: (code) => `<?php
${code}
foreach (explode("\\n", stream_get_contents(STDIN)) as $line) {
    $parts = explode("\\t", $line);
    $named = [];
    foreach (array_slice($parts, 2) as $each) {
        [$name, $value] = explode('=', $each, 2);
        $named[$name] = $value;
    }
    echo is_paid(${JSON.stringify(SECRET)}, $parts[0], $parts[1], $named, ${NOW}) ? 'true' : 'false', "\\n";
}
`,
  },
  {
    ...{ name: 'java', file: 'Check.java', command: ['java'] },
    program: (code) => `class Check {
${code}
    public static void main(String[] args) throws Exception {
        var utf8 = java.nio.charset.StandardCharsets.UTF_8;
        for (var line : new String(System.in.readAllBytes(), utf8).split("\\n")) {
            var parts = line.split("\\t");
            var named = new java.util.HashMap<String, String>();
            for (int n = 2; n < parts.length; n++) {
                var at = parts[n].indexOf('=');
                named.put(parts[n].substring(0, at), parts[n].substring(at + 1));
            }
            System.out.println(isPaid("${SECRET.replace('ü', '\\u00fc')}", parts[0], parts[1], named, ${NOW}L));
        }
    }
}
`,
  },
  {
    ...{ name: 'ruby', file: 'check.rb', command: ['ruby', '-Eutf-8'] },
    program: (code) => `${code}
$stdin.read.split("\\n").each do |line|
  method, target, *headers = line.split("\\t")
  named = headers.to_h { |each| each.split("=", 2) }
  puts paid?(${JSON.stringify(SECRET)}, method, target, named, ${NOW}) ? "true" : "false"
end
`,
  },
];

describe('The functions of docs/proxy-signatures.md', () => {
  for (const { name, file, command, program } of LANGUAGES) {
    const [tool = '', ...options] = command;
    const isThere = spawnSync(tool, [name === 'go' ? 'version' : '--version']).status === 0;
    it(`${name}: believes what the proxy signed, and nothing else`, {
      skip: isThere ? false : `${tool} is not installed`,
    }, () => {
      const folder = mkdtempSync(join(tmpdir(), 'x402-signatures-'));
      try {
        writeFileSync(join(folder, file), program(codeOf(name)));
        const { stdout, stderr, status } = spawnSync(tool, [...options, join(folder, file)], {
          input: INPUT,
          encoding: 'utf8',
          timeout: 300_000,
        });
        assert.equal(status, 0, stderr);
        assert.deepEqual(stdout.trim().split('\n'), [
          ...TRUE.map(() => 'true'),
          ...FALSE.map(() => 'false'),
        ]);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});
