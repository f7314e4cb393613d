// Loaded before the program: a signal then raises an unhandled error, as a bug in any library would.
process.on('SIGUSR2', () => {
  void Promise.reject(new Error('nobody handles this'));
});
