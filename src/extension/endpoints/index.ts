export { type Badge, type BadgeName, nextBadge } from './badge.ts';
export { type Endpoint, readEndpoints } from './endpoint.ts';
export { describeListing, validateListing } from './explainListing.ts';
export { timeAgo } from './timeAgo.ts';
