const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Resolves at the first Ctrl-C or request to end. A second one, from a user who does not want to wait, ends the process
 * immediately.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = 0;
    const onSignal = () => {
      const now = performance.now();
      // A terminal and the package manager may both deliver the same Ctrl-C.
      if (asked > 0 && now - asked > 500) process.exit(130);
      asked ||= now;
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
}
