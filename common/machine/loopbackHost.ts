const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a service that listens on this address or name can be reached only from this machine. */
export function isLoopbackAddress(host: string): boolean {
  return /^(127\.|localhost$|\[?::1\]?$)/.test(host);
}

/**
 * Whether a request was meant for this machine. A page on the web can make a browser send requests to 127.0.0.1 under a
 * name of its own (DNS rebinding), but then the Host header carries that name.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined) return false;
  const name = host.toLowerCase().replace(/:\d{1,5}$/, '');
  // A fully qualified name may end in a dot.
  return LOOPBACK_NAMES.has(name.replace(/\.$/, ''));
}
