import { type Context, Hono } from 'hono';
import { ArchiveError, type HistoryArchive } from '../../archive/historyArchive.ts';

const HEX_FILE = /^(?:history|ledger)-([0-9a-f]{8})\.(?:json|xdr\.gz)$/;
const BUCKET_FILE = /^bucket-([0-9a-f]{64})\.xdr\.gz$/;

/** `/archive`: the files of a history archive, under the paths that stellar-core uses. */
export function archiveRoute(archive: HistoryArchive): Hono {
  const app = new Hono();
  app.get('/archive/.well-known/stellar-history.json', (context) => {
    try {
      return context.json(archive.newest(), 200, HEADERS);
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      return context.json({ error: error.message }, 503, HEADERS);
    }
  });
  app.get('/archive/:kind/:a/:b/:c/:file', async (context) => {
    const { kind, a, b, c, file } = context.req.param();
    const [, hex] = (kind === 'bucket' ? BUCKET_FILE : HEX_FILE).exec(file) ?? [];
    if (hex?.startsWith(a + b + c) !== true || !file.startsWith(kind)) return missing(context);
    if (kind === 'history') {
      const found = archive.history(Number.parseInt(hex, 16));
      return found === undefined ? missing(context) : context.json(found, 200, HEADERS);
    }
    const bytes = await (kind === 'bucket'
      ? archive.bucket(hex)
      : archive.headers(Number.parseInt(hex, 16)));
    return bytes === undefined
      ? missing(context)
      : context.body(new Uint8Array(bytes), 200, {
          ...HEADERS,
          'Content-Type': 'application/gzip',
        });
  });
  return app;
}

const HEADERS = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' } as const;

function missing(context: Context): Response {
  return context.json({ error: 'The archive does not have this file.' }, 404, HEADERS);
}
