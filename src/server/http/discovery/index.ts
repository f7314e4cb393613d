/** The discovery endpoints, for the app that serves them. */
export { askDiscovery, mountDiscovery } from './mountDiscovery.ts';
export { validationRequestSchema } from './validateListing.ts';
