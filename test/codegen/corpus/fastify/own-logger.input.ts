import Fastify, { type FastifyBaseLogger } from 'fastify';

interface AuditLogger extends FastifyBaseLogger {
  audit(text: string): void;
}

const loggerInstance: AuditLogger = { info: console.log, audit: console.log };
const app = Fastify({ loggerInstance });

app.get('/quote', async () => ({ price: 1 }));
