export { payReserveOfNewEntry, returnReserveOfEntry } from './entryReserve.ts';
export {
  establishEntrySponsorship,
  releaseEntrySponsorship,
  transferEntrySponsorship,
} from './entrySponsorship.ts';
export { entrySponsor, isSubEntry, reservesOf } from './reserves.ts';
export { findSigner } from './signerKey.ts';
export {
  addSigner,
  establishSignerSponsorship,
  releaseSignerSponsorship,
  removeSigner,
  transferSignerSponsorship,
} from './signerSponsorship.ts';
export { type SponsorshipFailure, sponsorshipFailureResult } from './sponsorshipFailure.ts';
export { whyNotEstablish, whyNotRelease } from './sponsorshipLimits.ts';
export {
  beginSponsorship,
  endSponsorship,
  hasOpenSponsorship,
  isSponsoringOthers,
  sponsorOf,
} from './sponsorshipSession.ts';
