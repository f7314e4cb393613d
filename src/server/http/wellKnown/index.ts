/** `/.well-known/x402`: the services of this host, for clients that know only its name. */
export { type Manifest, manifestSchema } from './manifest.ts';
export { mountWellKnown } from './mountWellKnown.ts';
