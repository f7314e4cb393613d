import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { serve as serveFetch } from '@hono/node-server';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Seller } from '../../../src/handlers/index.ts';
import { paymentOf } from '../../../src/handlers/index.ts';
import { serve } from '../../proxy/support/shop.ts';

/** What a handler was asked for, and who paid. */
export interface Served {
  readonly path: string;
  readonly payer: string | undefined;
  readonly protocol: string | undefined;
}

export interface App {
  readonly url: string;
  close(): Promise<void>;
}

/** 3 MiB: more than the sellers of these tests keep. */
export const LONG = 3 << 20;

const TERMS = { price: '0.01', description: 'Weather', mimeType: 'application/json' };

function note(served: Served[], path: string, request: object): void {
  const { payer, protocol } = paymentOf(request) ?? {};
  served.push({ path, payer, protocol });
}

/** A stream whose second event comes later. */
function events(): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode('data: 1\n\n'));
      timer = setTimeout(() => {
        controller.enqueue(encoder.encode('data: 2\n\n'));
        controller.close();
      }, 30);
    },
    cancel: () => clearTimeout(timer),
  });
}

const SSE = { 'content-type': 'text/event-stream' };

/** The same paid API, written for each kind of app. */
export const APPS: Readonly<Record<string, (seller: Seller, served: Served[]) => Promise<App>>> = {
  async Fetch(seller, served) {
    const fetch = seller.fetch(TERMS, async (request) => {
      const { pathname } = new URL(request.url);
      note(served, pathname, request);
      switch (pathname) {
        case '/quote':
          return new Response(
            `quote for ${((await request.json()) as { items: unknown[] }).items.length}`,
          );
        case '/broken':
          return new Response('no', { status: 500 });
        case '/throws':
          throw new Error('thrown by the handler');
        case '/events':
          return new Response(events(), { headers: SSE });
        case '/long':
          return new Response(new Uint8Array(LONG).fill(120));
        default:
          return Response.json(
            { tempC: 19 },
            { headers: { 'cache-control': 'public, max-age=9' } },
          );
      }
    });
    return opened(serveFetch({ fetch, port: 0, hostname: '127.0.0.1' }));
  },
  async 'node:http'(seller, served) {
    const paid = seller.node(TERMS);
    return serve((request, response) =>
      paid(request, response, () => {
        const path = request.url ?? '';
        note(served, path, request);
        switch (path) {
          case '/quote': {
            let text = '';
            request.on('data', (piece) => {
              text += piece;
            });
            request.on('end', () => response.end(`quote for ${JSON.parse(text).items.length}`));
            return;
          }
          case '/broken':
            response.writeHead(500).end('no');
            return;
          case '/throws':
            response.destroy();
            return;
          case '/events':
            response.writeHead(200, SSE);
            response.write('data: 1\n\n');
            setTimeout(() => response.end('data: 2\n\n'), 30);
            return;
          case '/long':
            Readable.from(Array.from({ length: 48 }, () => Buffer.alloc(LONG / 48, 'x'))).pipe(
              response,
            );
            return;
          default:
            response.setHeader('Cache-Control', 'public, max-age=9');
            response.setHeader('Content-Type', 'application/json');
            response.end('{"tempC":19}');
        }
      }),
    );
  },
  async Express(seller, served) {
    const app = express();
    const paid = seller.node(TERMS);
    const router = express.Router();
    router.get('/:city', paid, (request, response) => {
      note(served, request.originalUrl, request);
      response.set('cache-control', 'public, max-age=9').json({ tempC: 19 });
    });
    app.use('/weather', router);
    app.use(paid);
    app.use((request, _, next) => {
      note(served, request.path, request);
      next();
    });
    app.post('/quote', express.json(), (request, response) => {
      response.send(`quote for ${request.body.items.length}`);
    });
    app.get('/broken', (_, response) => {
      response.status(500).send('no');
    });
    app.get('/throws', () => {
      throw new Error('thrown by the handler');
    });
    app.get('/events', (_, response) => {
      response.writeHead(200, SSE).flushHeaders();
      response.write('data: 1\n\n');
      setTimeout(() => response.end('data: 2\n\n'), 30);
    });
    app.get('/long', (_, response) => {
      response.send(Buffer.alloc(LONG, 'x'));
    });
    app.use((_: Error, __: IncomingMessage, response: ServerResponse, ___: () => void) => {
      response.writeHead(500).end('failed');
    });
    return serve(app);
  },
  async Hono(seller, served) {
    const app = new Hono();
    app.use('*', seller.hono(TERMS));
    app.use('*', async (context, next) => {
      note(served, context.req.path, context.req.raw);
      await next();
    });
    app.get('/weather/:city', (context) => {
      context.header('cache-control', 'public, max-age=9');
      return context.json({ tempC: 19 });
    });
    app.post('/quote', async (context) =>
      context.text(`quote for ${(await context.req.json()).items.length}`),
    );
    app.get('/broken', (context) => context.text('no', 500));
    app.get('/throws', () => {
      throw new Error('thrown by the handler');
    });
    app.get('/events', (context) =>
      streamSSE(context, async (stream) => {
        await stream.writeSSE({ data: '1' });
        await stream.sleep(30);
        await stream.writeSSE({ data: '2' });
      }),
    );
    app.get('/long', (context) => context.body(new Uint8Array(LONG).fill(120)));
    return opened(serveFetch({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }));
  },
  async Fastify(seller, served) {
    const app = Fastify();
    const paid = seller.fastify(TERMS);
    app.addHook('preHandler', async (request) => note(served, request.url, request.raw));
    app.get('/weather/:city', paid, async (_, reply) => {
      reply.header('cache-control', 'public, max-age=9');
      return { tempC: 19 };
    });
    app.post<{ Body: { items: unknown[] } }>('/quote', paid, async (request) => {
      return `quote for ${request.body.items.length}`;
    });
    app.get('/broken', paid, async (_, reply) => reply.code(500).send('no'));
    app.get('/throws', paid, async () => {
      throw new Error('thrown by the handler');
    });
    app.get('/events', paid, async (_, reply) => {
      reply.header('content-type', 'text/event-stream');
      return Readable.fromWeb(events() as Parameters<typeof Readable.fromWeb>[0]);
    });
    app.get('/long', paid, async () => Buffer.alloc(LONG, 'x'));
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    return {
      url,
      async close() {
        app.server.closeAllConnections();
        await app.close();
      },
    };
  },
};

async function opened(server: ReturnType<typeof serveFetch>): Promise<App> {
  if (!server.listening) await new Promise<void>((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}
