// What the documentation of @x402/fastify says of it ("Registers Fastify hooks (onRequest and
// onSend) that…"), on the published @x402/core. It stands in for the package where that is not
// served, so that generated code runs at all; it is no part of the product.

const { x402HTTPResourceServer, x402ResourceServer } = require('@x402/core/server');

function paymentMiddleware(app, routes, server) {
  const http = new x402HTTPResourceServer(server, routes);
  const ready = http.initialize();
  ready.catch(() => {});
  // As in the package: a second gate on the same tree of instances throws here.
  app.decorateRequest('x402Context', null);

  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?')[0];
    const header = (name) => request.headers[name.toLowerCase()];
    const context = {
      path,
      method: request.method,
      paymentHeader: header('payment-signature'),
      adapter: {
        getHeader: header,
        getMethod: () => request.method,
        getPath: () => path,
        getUrl: () => `${request.protocol}://${header('host')}${request.url}`,
        getAcceptHeader: () => header('accept') ?? '',
        getUserAgent: () => header('user-agent') ?? '',
      },
    };
    if (!http.requiresPayment(context)) return;
    await ready;
    const result = await http.processHTTPRequest(context);
    if (result.type === 'payment-error') {
      const { status, headers, body } = result.response;
      return reply
        .code(status)
        .headers(headers)
        .send(body ?? {});
    }
    if (result.type === 'payment-verified') request.x402Context = { ...result, context };
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const paid = request.x402Context;
    if (!paid || reply.statusCode >= 400) return payload;
    const settled = await http.processSettlement(
      paid.paymentPayload,
      paid.paymentRequirements,
      paid.declaredExtensions,
      { request: paid.context, responseBody: Buffer.from(payload ?? '') },
    );
    reply.headers(settled.success ? settled.headers : settled.response.headers);
    if (settled.success) return payload;
    reply.code(settled.response.status);
    return JSON.stringify(settled.response.body ?? {});
  });
}

module.exports = { paymentMiddleware, x402HTTPResourceServer, x402ResourceServer };
