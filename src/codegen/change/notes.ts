import { changesPayment, information, type Note } from './note.ts';
import type { Terms } from './paymentTerms.ts';
import type { RouteReading } from './reading/routeReading.ts';

/** Maximum number of files that a note names one by one. */
const MAX_NAMED = 5;

/** What the user should know before relying on a change, in sentences. */
export function notesFor(
  {
    route,
    made,
    settings,
    text,
    answeredBy,
    said,
    importers,
    payToVariable,
    runtime,
  }: RouteReading,
  terms: Terms,
): readonly Note[] {
  const owner = made?.kind === 'registered' ? made.owner : undefined;
  const computed = settings !== undefined && settings.payToAddress === undefined;
  const reads = settings || runtime === 'workers' ? undefined : payToVariable;
  const notes = [
    information(
      'recipient',
      computed
        ? `${route.method} ${route.path} pays ${settings.payTo}, which the code of this file computes.`
        : reads !== undefined
          ? `${route.method} ${route.path} pays the address in ${reads}, or else ${terms.payTo}.`
          : `${route.method} ${route.path} pays ${terms.payTo}. The address is written into the file; to be paid elsewhere, change it there.`,
    ),
    information(
      'facilitator',
      settings
        ? "The facilitator is the one in this file's payment settings."
        : `The facilitator is the one in FACILITATOR_URL, or else ${terms.facilitatorUrl}.`,
    ),
  ];
  const shared = settings?.payToAddress;
  if (shared !== undefined && shared !== terms.payTo) {
    notes.push(
      changesPayment(
        'second_recipient',
        `The payments of this file go to ${shared}, and this one would go to another address, which is written beside its price.`,
      ),
    );
  }
  if (route.method === 'GET') {
    notes.push(
      information('head', 'HEAD answers 200 without payment and without running the handler.'),
    );
  }
  if (route.framework === 'express') {
    notes.push(
      information(
        'proxy',
        "Behind a proxy set app.set('trust proxy', …): the URL in challenges and in the catalog comes from the request's protocol and host.",
      ),
    );
    const mounted = owner !== undefined && /router|routes/i.test(owner);
    if (mounted && route.params.length > 0) {
      notes.push(
        information(
          'router_mount',
          "A router's middleware knows only the path below its mount, so for a path with parameters the catalog lists the URL that was paid for.",
        ),
      );
    }
  }
  if (route.framework === 'fastify') {
    notes.push(
      information(
        'proxy',
        'Behind a proxy set trustProxy: the URL in challenges and in the catalog comes from the protocol and host of the request.',
      ),
    );
  }
  const users = importers.filter(({ names }) =>
    names.some((each) => [route.method, '*'].includes(each)),
  );
  if (users.length > 0) {
    const named = users.slice(0, MAX_NAMED).map(({ path, line }) => `${path}:${line}`);
    const more = users.length > MAX_NAMED ? ` and ${users.length - MAX_NAMED} more` : '';
    notes.push(
      changesPayment(
        'imported_elsewhere',
        `${named.join(', ')}${more} ${users.length === 1 ? 'imports' : 'import'} ${route.method} from this file, and would get the one that asks for payment.`,
      ),
    );
  }
  if (answeredBy) {
    notes.push(
      changesPayment(
        'answered_before',
        `Line ${answeredBy.line} (${answeredBy.name}) answers the same requests before this route, and asks for no payment.`,
      ),
    );
  }
  if (route.confidence === 'likely' && said !== route.framework) {
    notes.push(
      changesPayment(
        'guessed_framework',
        `Only names suggest that ${owner ?? 'this'} belongs to ${route.framework}. Review the change before you keep it.`,
      ),
    );
  }
  if (/runtime\s*=\s*['"]edge['"]/.test(text)) {
    notes.push(
      changesPayment(
        'edge_runtime',
        'This route runs on the Edge runtime; the Stellar packages were tested only on Node.js.',
      ),
    );
  }
  return notes;
}
