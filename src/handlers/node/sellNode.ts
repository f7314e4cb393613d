import type { SellerLimits } from '../options.ts';
import { notePayment } from '../payment.ts';
import type { Incoming, Result, SellRequest } from '../sellRequest.ts';
import { HeldResponse, type NodeResponse, sendWhole } from './heldResponse.ts';
import { incomingOf, type NodeRequest } from './nodeRequest.ts';

/** What one request of Node is sold with. */
interface NodeSale {
  readonly route: SellRequest;
  readonly limits: SellerLimits;
  readonly request: NodeRequest;
  readonly response: NodeResponse;
  readonly body: Incoming['body'];
  /** Has the handler write to the response. */
  readonly serve: () => void;
}

/** Sells a request of Node: what its handler writes is held until it is paid. Resolves when the response ended. */
export async function sellNode(sale: NodeSale): Promise<void> {
  const { route, limits, request, response, body, serve } = sale;
  let held: HeldResponse | undefined;
  const result: Result = await route(incomingOf(request, body), (payment) => {
    notePayment(request, payment);
    held = new HeldResponse(response, limits, payment.transaction !== undefined);
    serve();
    return held.page;
  });
  if (result.kind === 'answer') {
    if (held === undefined) sendWhole(response, result.answer);
    else held.replace(result.answer);
    return;
  }
  const { page, headers, ended } = result;
  if (held !== undefined && (page.body === undefined || page.good)) {
    return ended(await held.deliver(headers));
  }
  const answer = { status: page.status, headers, body: page.body ?? new Uint8Array() };
  if (held === undefined) sendWhole(response, answer);
  else held.replace(answer);
  await ended('delivered');
}
