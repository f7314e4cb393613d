import type { Trial } from './trial.ts';

/** A trial, or why there was none. */
export type Judged = Trial | { readonly name: string; readonly absent: string };

/** Whether nothing went wrong. A server that is not here was not tried, which is nothing wrong. */
export function isGood(judged: Judged): boolean {
  if ('absent' in judged) return true;
  return (
    judged.serves &&
    judged.free.length === 0 &&
    [...judged.bought.values()].every((problem) => problem === undefined)
  );
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
}

/** The table, and what went wrong. */
export function reportOf(all: readonly Judged[]): string {
  const buyers = [
    ...new Set(all.flatMap((one) => ('absent' in one ? [] : [...one.bought.keys()]))),
  ];
  const head = [
    'Server',
    ...buyers,
    'Spellings',
    'of them served by the server itself',
    'free through the proxy',
  ];
  const rows = all.flatMap((one) =>
    'absent' in one
      ? []
      : [
          row([
            one.name,
            ...buyers.map((buyer) => (one.bought.get(buyer) === undefined ? 'bought' : 'failed')),
            ...[one.spellings, one.readByServer, one.free.length],
          ]),
        ],
  );
  const notes = all.flatMap((one) => {
    if ('absent' in one) return [`- ${one.name}: not tried. ${one.absent}`];
    return [
      ...(one.serves ? [] : [`- ${one.name}: does not serve what is sold.`]),
      ...[...one.bought].flatMap(([buyer, problem]) =>
        problem === undefined
          ? []
          : [`- ${one.name}, ${buyer}: ${problem.replaceAll(/\s+/g, ' ')}`],
      ),
      ...one.free.map((name) => `- ${one.name}, free: ${name}`),
    ];
  });
  return [
    row(head),
    row(head.map(() => '---')),
    ...rows,
    ...(notes.length > 0 ? ['', ...notes] : []),
  ].join('\n');
}

/** docs/evidence/upstreams.md. */
export function pageOf(all: readonly Judged[]): string {
  return `# Other people's servers behind the proxy

Written by \`npm run lab -- upstreams --write\`. Each server is installed from the packages that its project publishes, in the pinned versions of
\`test/proxy/foreign/apps\`, started with its usual command, and not changed. The proxy sells one route at 0.01 USDC, and everything else is free
(\`otherwise: free\`), so that each request that the proxy does not take for the sold one reaches the server.

- **Bought**: three clients paid on the embedded network and got the data: the command line, the published \`@x402/fetch\`, unchanged, and an agent.
- **Spellings**: requests for the same data without a payment, sent as bytes: other writings of the path and of the request line, headers by which servers take
  another path or method, and other methods. *Free* counts those that got the data through the proxy. The column before it counts those that get it from the server
  itself.

${reportOf(all)}
`;
}
