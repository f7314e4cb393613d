import type { ChangeContext } from './context.ts';

/** What a person should know before relying on a change, in sentences. */
export function notesFor(context: ChangeContext): readonly string[] {
  const { route, terms, file } = context;
  const notes = [
    `${route.method} ${route.path} pays ${terms.payTo}. The address is written into the file; run the command again after changing the setting.`,
    `The facilitator is the one that FACILITATOR_URL names, else ${terms.facilitatorUrl}.`,
  ];
  if (route.method === 'GET') {
    notes.push('HEAD answers 200 without payment and without running the handler.');
  }
  if (route.framework === 'express') {
    notes.push(
      "Behind a proxy set app.set('trust proxy', …): the URL that buyers and the catalog are told is made of the request's protocol and host.",
    );
    const { registered } = route;
    const mounted = registered && /router|routes/i.test(registered.receiver.getText());
    if (mounted && route.params.length > 0) {
      notes.push(
        'The path is counted from where the router is mounted, and so is the path with parameters that a listing gets.',
      );
    }
  }
  if (route.framework === 'fastify') {
    notes.push(
      'Behind a proxy set trustProxy: the URL that buyers and the catalog are told is made of the protocol and host of the request.',
    );
  }
  if (route.confidence === 'likely') {
    notes.push(
      `Names alone tell that ${route.registered?.receiver.getText() ?? 'this'} belongs to ${route.framework}. Look at the change before you keep it.`,
    );
  }
  if (/runtime\s*=\s*['"]edge['"]/.test(file.text)) {
    notes.push(
      'This route runs on the Edge runtime; the Stellar packages were tried on Node.js only.',
    );
  }
  return notes;
}
