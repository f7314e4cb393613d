import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Tracing } from './tracing/tracing.ts';

/** How long the end of the service waits for the last spans to be sent. */
const LAST_SPANS_MS = 2_000;

/**
 * Opens traces over OTLP/HTTP. Spans have routes, statuses, methods and durations, and nothing of a payment or its parties. If the
 * collector does not answer, spans are dropped; payments never wait for it.
 * @param endpoint base URL of the collector, as `OTEL_EXPORTER_OTLP_ENDPOINT` has it
 */
export function openTracing(endpoint: string, serviceName: string): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('svc-x402');
  const propagator = new W3CTraceContextPropagator();
  const current = new AsyncLocalStorage<Context>();
  return {
    async request({ method, route, headers }, work, status) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const attributes = { 'http.request.method': method, 'http.route': route };
      const span = tracer.startSpan(
        `${method} ${route}`,
        { kind: SpanKind.SERVER, attributes },
        parent,
      );
      try {
        await current.run(trace.setSpan(parent, span), work);
        const answered = status();
        span.setAttribute('http.response.status_code', answered);
        if (answered >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      } finally {
        span.end();
      }
    },
    rpcCall(method, outcome, seconds) {
      const endTime = Date.now();
      const span = tracer.startSpan(
        `rpc ${method}`,
        {
          kind: SpanKind.CLIENT,
          startTime: endTime - seconds * 1_000,
          attributes: { 'rpc.system': 'jsonrpc', 'rpc.method': method, outcome },
        },
        current.getStore() ?? ROOT_CONTEXT,
      );
      if (outcome !== 'ok') span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
      span.end(endTime);
    },
    async close() {
      const timer = new Promise<void>((resolve) => setTimeout(resolve, LAST_SPANS_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), timer]);
    },
  };
}
