import {
  type AnswerReason,
  type Decision,
  decide,
  errorAnswer,
  type SalePayment,
  type Served,
} from './decide.ts';
import type { Offer, SellerAnswer, SellerRequest } from './offer.ts';
import type { Sale, SaleBook } from './saleBook.ts';
import type { FacilitatorAnswer, FacilitatorCall, SellerProtocol } from './sellerProtocol.ts';

/** What a sale needs from outside. */
export interface SellerPorts<Response extends Served> {
  /** In the order in which they are offered. */
  readonly protocols: readonly SellerProtocol[];
  readonly book: SaleBook<Response>;
  /** Calls the facilitator. Resolves with `undefined` if it did not answer; never rejects. */
  ask(call: FacilitatorCall): Promise<FacilitatorAnswer>;
  /**
   * Has the request served. Never rejects: a failure is a response that is not good.
   * @param transaction hash of the settlement if the money was taken before
   */
  serve(paid: SalePayment, transaction: string | undefined): Promise<Response>;
  pause(milliseconds: number): Promise<void>;
  /** Called when a sale could not be noted; what was sold is delivered all the same. */
  onError(error: unknown): void;
}

/** How a request with a price ended. */
export type Sold<Response> =
  | {
      readonly kind: 'answer';
      readonly answer: SellerAnswer;
      readonly reason: AnswerReason | 'book_unavailable';
    }
  /** The handler's failure, for which nothing is taken. */
  | {
      readonly kind: 'failed';
      readonly response: Response;
      /** Whether the money was taken before, so that the sale is owed. */
      readonly owed: boolean;
      readonly headers: SellerAnswer['headers'];
    }
  | {
      readonly kind: 'sold';
      readonly response: Response;
      /** Whether this is the response of an earlier request. */
      readonly repeated: boolean;
      readonly paid: SalePayment;
      readonly transaction: string;
      readonly headers: SellerAnswer['headers'];
      /**
       * To call when the response ended. A response that is not kept is owed until its buyer has it.
       * @param how `broken`: the handler's part broke off, so that the identical request is served again
       */
      ended(how: 'delivered' | 'broken'): Promise<void>;
    };

const NOT_STORED = errorAnswer(
  503,
  'seller_unavailable',
  'The seller cannot store the sale, so nothing was taken. Send the identical request again later.',
  [['retry-after', '5']],
);

const UNDECIDED = errorAnswer(
  503,
  'seller_unavailable',
  'The seller failed while the payment was being settled. Send the identical request again; do not sign another payment for it.',
  [['retry-after', '5']],
);

/**
 * Sells one request: carries out the engine's decisions with the given ports, and returns what the buyer gets. Nothing that a
 * buyer can read is returned before its payment is known to be settled.
 */
export async function sell<Response extends Served>(
  offer: Offer,
  request: SellerRequest,
  ports: SellerPorts<Response>,
): Promise<Sold<Response>> {
  const { book } = ports;
  let response: Response | undefined;
  let claimed: Sale | undefined;
  /** Whether the settlement may have been asked for. */
  let isAsked = false;
  /** Whether the book has the response that was served. */
  let isKept = false;
  let decision: Decision<Response> = decide(offer, request, ports.protocols);
  for (;;) {
    try {
      switch (decision.step) {
        case 'recall':
          decision = decision.next(await book.recall(decision.sale));
          break;
        case 'verify':
        case 'settle':
          decision = decision.next(await ports.ask(decision.call));
          break;
        case 'claim': {
          const won: boolean = await book.claim(decision.sale);
          if (won) {
            claimed = decision.sale;
            isAsked = decision.resumed;
          }
          decision = decision.next(won);
          break;
        }
        case 'hold':
          await book.hold(decision.sale, decision.what === 'response' ? response : undefined);
          isKept = decision.what === 'response';
          isAsked = true;
          decision = decision.next();
          break;
        case 'serve':
          response = await ports.serve(decision.paid, decision.transaction);
          decision = decision.next(response);
          break;
        case 'book':
          // Whatever happens to the note, the money moved: an identical request would find it out again.
          await book.settle(decision.sale, decision.receipt).catch(ports.onError);
          decision = decision.next();
          break;
        case 'wait':
          await ports.pause(decision.milliseconds);
          decision = decision.next();
          break;
        case 'answer': {
          const { answer, reason, forget } = decision;
          if (claimed) await end(book, claimed, forget ? 'release' : 'leave', ports.onError);
          return { kind: 'answer', answer, reason };
        }
        case 'pass': {
          const { sale, owed, headers } = decision;
          await end(book, sale, owed ? 'leave' : 'release', ports.onError);
          if (response === undefined) throw new Error('nothing was served');
          return { kind: 'failed', response, owed, headers: headers(statusOf(response)) };
        }
        case 'deliver': {
          const { kept, sale, paid, transaction, headers } = decision;
          const delivered = kept ?? response;
          if (delivered === undefined) throw new Error('nothing was served');
          return {
            ...{ kind: 'sold', response: delivered, repeated: kept !== undefined },
            ...{ paid, transaction, headers: headers(statusOf(delivered)) },
            ended: async (how) => {
              if (kept !== undefined || isKept) return;
              await end(book, sale, how === 'delivered' ? 'deliver' : 'leave', ports.onError);
            },
          };
        }
      }
    } catch (error) {
      ports.onError(error);
      if (claimed) await end(book, claimed, isAsked ? 'leave' : 'release', ports.onError);
      const answer = isAsked ? UNDECIDED : NOT_STORED;
      return { kind: 'answer', answer, reason: 'book_unavailable' };
    }
  }
}

function statusOf({ good, status = good ? 200 : 500 }: Served): number {
  return status;
}

/** Ends a claim. A claim that cannot be ended is one until its process ends. */
async function end<Kept>(
  book: SaleBook<Kept>,
  sale: Sale,
  how: 'release' | 'leave' | 'deliver',
  onError: (error: unknown) => void,
): Promise<void> {
  await book[how](sale).catch(onError);
}
