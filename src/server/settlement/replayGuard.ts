import type { AuthorizationKey } from '../../protocol/stellar/index.ts';

/** The right to settle an authorization, held by the first who asked. */
export interface ReplayClaim {
  /** Makes the authorization acceptable again. Only if it was certainly never submitted. */
  release(): void;
}

export interface ReplayGuard {
  /** Whether the authorization is being settled or was submitted before. */
  isKnown(key: AuthorizationKey): boolean;
  /**
   * Claims an authorization; `undefined` when it was presented before.
   * @param expirationLedger last ledger in which the ledger itself would still take it
   */
  claim(key: AuthorizationKey, expirationLedger: number): ReplayClaim | undefined;
  /** Forgets authorizations that expired before `ledger`: no one can settle them any more. */
  forgetExpired(ledger: number): void;
  readonly size: number;
}

/** Ledgers to remember an authorization after it expired, for servers that lag behind. */
const MARGIN_LEDGERS = 100;
/** Expired records are looked for once in so many ledgers. */
const SWEEP_EVERY_LEDGERS = 20;

/**
 * Lets each authorization (payer and nonce) be settled once (spec: Errors,
 * `authorization_replayed`). A repeat is refused even while the first is still under way: were it
 * given the first one's success, a seller would serve two requests for one payment.
 */
export function createReplayGuard(): ReplayGuard {
  const known = new Map<AuthorizationKey, number>();
  let sweptAt = 0;
  return {
    get size() {
      return known.size;
    },
    isKnown: (key) => known.has(key),
    claim(key, expirationLedger) {
      if (known.has(key)) return undefined;
      known.set(key, expirationLedger);
      return {
        release: () => {
          known.delete(key);
        },
      };
    },
    forgetExpired(ledger) {
      if (ledger < sweptAt + SWEEP_EVERY_LEDGERS) return;
      sweptAt = ledger;
      for (const [key, expiration] of known) {
        if (expiration + MARGIN_LEDGERS < ledger) known.delete(key);
      }
    },
  };
}
