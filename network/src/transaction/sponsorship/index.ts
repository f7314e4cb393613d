export { entrySponsor, isSubEntry, reservesOf } from './counters.ts';
export {
  establishEntrySponsorship,
  payReserveOfNewEntry,
  releaseEntrySponsorship,
  returnReserveOfEntry,
  transferEntrySponsorship,
} from './entrySponsorship.ts';
export {
  addSigner,
  establishSignerSponsorship,
  findSigner,
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
