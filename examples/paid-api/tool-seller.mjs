// An MCP server that charges for one of its tools over x402's MCP transport: the price is the result of an unpaid call, the
// payment is in `_meta["x402/payment"]` of the paid one, and its settlement in `_meta["x402/payment-response"]` of the result.

import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server';
import { bazaarResourceServerExtension, declareDiscoveryExtension } from '@x402/extensions/bazaar';
import { ExactStellarScheme } from '@x402/stellar/exact/server';
import { z } from 'zod';
import { openAccount } from './account.mjs';
import * as settings from './settings.mjs';
import { fail, report } from './steps.mjs';

if (!settings.facilitatorUrl) fail('Set FACILITATOR_URL to the address of an x402 facilitator.');

const { network, price } = settings;
const payTo = settings.payTo ?? (await openAccount('seller').catch(fail)).publicKey();

const x402 = new x402ResourceServer(new HTTPFacilitatorClient({ url: settings.facilitatorUrl }))
  .register(network, new ExactStellarScheme())
  .registerExtension(bazaarResourceServerExtension);
await x402.initialize().catch(fail);

/** Runs a tool for a buyer: verifies the payment first, and settles it only if the tool succeeded. */
async function sold(tool, { mcpReq }, run) {
  const [resource, extensions] = [resourceOf(tool), declareDiscoveryExtension(tool.discovery)];
  const accepts = await x402.buildPaymentRequirements({
    scheme: 'exact',
    network,
    payTo,
    price,
    maxTimeoutSeconds: 60,
  });
  const unpaid = async (reason, settlement) => {
    const terms = await x402.createPaymentRequiredResponse(accepts, resource, reason, extensions);
    const data = { ...terms, ...(settlement && { 'x402/payment-response': settlement }) };
    const error = { code: 402, message: reason, data };
    const content = [{ type: 'text', text: JSON.stringify({ 'x402/error': error }) }];
    return { isError: true, structuredContent: data, content };
  };
  const payment = mcpReq._meta?.['x402/payment'];
  if (payment === undefined) return unpaid('Payment required');
  const requirements = x402.findMatchingRequirements(accepts, payment);
  if (requirements === undefined) return unpaid('This payment is for other terms');
  const { isValid, invalidReason } = await x402.verifyPayment(payment, requirements, extensions);
  if (!isValid) return unpaid(invalidReason);
  const result = await run();
  if (result.isError) return result;
  const settlement = await x402.settlePayment(payment, requirements, extensions);
  if (!settlement.success) return unpaid(settlement.errorReason, settlement);
  return { ...result, _meta: { 'x402/payment-response': settlement } };
}

const FORECAST = {
  description: 'Weather forecast for a city, for the coming days.',
  discovery: {
    toolName: 'forecast',
    description: 'Weather forecast for a city, for the coming days.',
    transport: 'streamable-http',
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1, maximum: 7 } },
      required: ['city'],
    },
    example: { city: 'Lima', days: 2 },
    output: { example: { city: 'Lima', days: [19, 20] } },
  },
};

function resourceOf({ description }) {
  const { port } = listener.address();
  return {
    url: `http://${settings.host}:${port}/mcp`,
    description,
    mimeType: 'application/json',
    serviceName: 'Demo Forecast',
    tags: ['weather', 'demo'],
  };
}

/** Creates one server for each request, without shared state. */
function server() {
  const mcp = new McpServer({ name: 'demo-forecast', version: '1.0.0' });
  mcp.registerTool(
    'forecast',
    {
      description: `${FORECAST.description} Costs ${price} in USDC on Stellar (x402).`,
      inputSchema: z.object({ city: z.string(), days: z.int().min(1).max(7).default(1) }),
    },
    ({ city, days }, context) =>
      sold(FORECAST, context, async () => {
        const forecast = { city, days: Array.from({ length: days }, (_, day) => 19 + day) };
        return { content: [{ type: 'text', text: JSON.stringify(forecast) }] };
      }),
  );
  return mcp;
}

const handle = toNodeHandler(createMcpHandler(server));
const listener = createServer((request, response) => {
  if (request.url === '/mcp') return handle(request, response);
  response.writeHead(404).end();
});
listener.on('listening', () => {
  const { url } = resourceOf(FORECAST);
  report('listening', { url, tool: 'forecast', payTo, price });
});
listener.on('error', (error) => {
  if (error.code !== 'EADDRINUSE' || settings.port === 0) fail(error);
  console.error(`Port ${settings.port} is in use; choosing a free one.`);
  listener.listen(0, settings.host);
});
listener.listen(settings.port, settings.host);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => process.exit(0));
}
