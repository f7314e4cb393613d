import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addPayment, applyEdits, findRoutes, neededPackages } from '../../src/codegen/index.ts';
import { PACKAGE_SETS } from '../../src/codegen/packages/packageSets.ts';
import { TERMS } from './corpus.ts';

const EXPRESS = `import express from 'express';
import helmet from 'helmet';

const app = express();

app.get('/weather', (req, res) => {
  res.json({ tempC: 19 });
});
`;

function gated(path: string, text: string, at: string): string {
  const result = addPayment({
    ...TERMS,
    path,
    text,
    offset: text.indexOf(at),
    nextVersion: '16.2.6',
  });
  assert.ok(result.ok, result.ok ? '' : result.refusal.message);
  return applyEdits(text, result.edits);
}

function refused(path: string, text: string, at: string): string | undefined {
  const result = addPayment({
    ...TERMS,
    path,
    text,
    offset: text.indexOf(at),
    nextVersion: '16.2.6',
  });
  return result.ok ? undefined : result.refusal.code;
}

describe('Code as specified', () => {
  it('[spec: Editor extension command/1] routes are found in .js, .ts, .jsx and .tsx', () => {
    for (const extension of ['js', 'ts', 'jsx', 'tsx']) {
      const [route] = findRoutes({ path: `src/app.${extension}`, text: EXPRESS });
      assert.deepEqual([route?.method, route?.path], ['GET', '/weather'], extension);
    }
  });

  it('[spec: Editor extension command/Express] imports after the last one, the address as a literal, and the middleware with its map before the route', () => {
    const text = gated('src/app.ts', EXPRESS, "'/weather'");
    const order = [
      "import express from 'express';",
      "from '@x402/core/server';",
      `payToAddress: '${TERMS.payTo}'`,
      'new HTTPFacilitatorClient({',
      TERMS.facilitatorUrl,
      ".register('stellar:testnet', new ExactStellarScheme())",
      '.registerExtension(bazaarResourceServerExtension)',
      'paymentMiddleware(',
      "'GET /weather': {",
      "scheme: 'exact'",
      "price: '$0.01'",
      "network: 'stellar:testnet'",
      'payTo: PAYMENT_CONFIG.payToAddress',
      'description:',
      "serviceName: 'demo-api'",
      'tags:',
      'extensions: declareDiscoveryExtension(',
      "app.get('/weather', (req, res) => {\n  res.json({ tempC: 19 });\n});",
    ];
    let place = -1;
    for (const part of order) {
      const next = text.indexOf(part, place + 1);
      assert.ok(next > place, `${part} is missing or out of order in\n${text}`);
      place = next;
    }
    assert.ok(text.indexOf("from 'helmet'") < text.indexOf('PAYMENT_CONFIG'));
  });

  it('[spec: Editor extension command/3] a route with a gate is refused', () => {
    assert.equal(
      refused('src/app.ts', gated('src/app.ts', EXPRESS, "'/weather'"), "app.get('/weather'"),
      'already_gated',
    );
  });

  it('[spec: Editor extension command/Fastify] the gate is called on the variable of the call site', () => {
    for (const name of ['fastify', 'server', 'app']) {
      const text = `import Fastify from 'fastify';\n\nconst ${name} = Fastify();\n\n${name}.get('/quote', async () => ({ price: 1 }));\n`;
      assert.match(
        gated('src/app.ts', text, "'/quote'"),
        new RegExp(`paymentMiddleware\\(\\s*forRoute\\(${name}, 'GET', '/quote'\\),`),
      );
    }
  });

  it('[spec: Editor extension command/Next.js App Router] the handler is renamed, no longer exported, and wrapped', () => {
    const text = 'export async function GET() {\n  return Response.json({ ok: true });\n}\n';
    const after = gated('app/api/state/route.ts', text, 'GET');
    assert.match(after, /^async function GET_impl\(\) \{\n {2}return Response\.json/m);
    assert.match(
      after,
      /export const GET = withX402\(\n {2}async \(\) => \{\n.* await GET_impl\(\);/,
    );
  });

  it('[spec: Editor extension command/Next.js Pages Router] is found, and nothing is written', () => {
    const text = 'export default function handler(req, res) {\n  res.json({});\n}\n';
    assert.equal(refused('pages/api/hello.ts', text, 'handler'), 'pages_router');
  });

  it('[spec: Editor extension command/Packages] core, stellar, extensions and the framework’s package', () => {
    const [newest] = PACKAGE_SETS;
    assert.ok(newest);
    for (const [framework, adapter] of [
      ['express', 'express'],
      ['fastify', 'fastify'],
      ['next-app', 'next'],
    ] as const) {
      assert.deepEqual(
        neededPackages(framework, newest).map(({ name }) => name),
        ['@x402/core', '@x402/stellar', '@x402/extensions', `@x402/${adapter}`],
      );
    }
  });
});
