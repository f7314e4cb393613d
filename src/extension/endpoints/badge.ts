import { later, t } from '../words/index.ts';

/** An endpoint's ownership badge (spec: ownership badge values), with one additional value. */
export type BadgeName =
  | 'Verified'
  | 'Verified locally'
  | 'Not verified yet'
  | 'Unverified'
  | 'Unknown';

export interface Badge {
  readonly name: BadgeName;
  readonly reason: string;
}

/** The catalog's data on an endpoint, as far as its badge depends on it. */
export interface BadgeEvidence {
  /** `undefined` if the entry has no trust block or the catalog cannot be read. */
  readonly trust:
    | {
        readonly settlements: number;
        readonly ownerVerified: boolean;
        /** The embedded network's own check of loopback sellers. */
        readonly localCheck?: boolean | undefined;
      }
    | undefined;
  readonly url: string;
  /** Whether the network is the embedded one. */
  readonly local: boolean;
  /** Milliseconds since the entry last changed; `undefined` if the catalog does not report it. */
  readonly sinceChangeMs: number | undefined;
}

/** The ownership check takes at most 3 seconds; a queue of checks takes somewhat longer. */
const CHECK_MS = 15_000;

/**
 * The badge as a state machine. In each state the evidence of the next reading selects the next one:
 *
 * | evidence | next state |
 * |---|---|
 * | no trust block, or the catalog cannot be read | Unknown |
 * | `ownerVerified` is true | Verified |
 * | embedded network, and the local check found the recipient | Verified locally |
 * | no settlement | Unknown |
 * | settled, and the check might still be running (15 s), or the URL is a template | Not verified yet |
 * | settled, and the check found nothing | Unverified |
 */
export function nextBadge(previous: Badge | undefined, evidence: BadgeEvidence): Badge {
  const { trust, local, sinceChangeMs } = evidence;
  if (trust === undefined) {
    return badge(
      later('Unknown'),
      t('The catalog currently has no information about this endpoint.'),
    );
  }
  if (trust.ownerVerified) {
    return badge(later('Verified'), t("The service found your address in this URL's terms."));
  }
  if (local && trust.localCheck === true) {
    return badge(
      later('Verified locally'),
      t(
        "The embedded network found your address in this local URL's terms. On testnet, only a public https URL can be verified.",
      ),
    );
  }
  if (trust.settlements === 0) {
    return badge(later('Unknown'), t('No payment has settled since the catalog started.'));
  }
  if (isTemplate(evidence.url)) {
    return badge(
      later('Not verified yet'),
      t(
        'Payments have settled, but the URL is a template and cannot be fetched, so its owner cannot be verified.',
      ),
    );
  }
  if (sinceChangeMs !== undefined && sinceChangeMs < CHECK_MS && previous?.name !== 'Unverified') {
    return badge(
      later('Not verified yet'),
      t("A payment has settled, but the ownership check isn't finished yet."),
    );
  }
  return badge(later('Unverified'), whyUnverified(evidence.url));
}

function badge(name: BadgeName, reason: string): Badge {
  return { name, reason };
}

/** Whether a URL has parameters instead of values, so it cannot be fetched. */
export function isTemplate(url: string): boolean {
  return /\/(?::|\{)[A-Za-z_]/.test(url.replace(/^[a-z]+:\/\/[^/]*/i, ''));
}

function whyUnverified(url: string): string {
  if (!url.startsWith('https:')) {
    return t('Only a public https URL can be verified; this one is not https.');
  }
  return t(
    "The service did not find your address in this URL's terms. The URL must answer a plain GET with 402 within 3 seconds, without a redirect.",
  );
}
