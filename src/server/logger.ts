/** The part of a logger that the service uses; a pino logger is one. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Logs nothing. For callers that do not need a log. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
};

/** Returns a logger that adds `context` to every line, such as the id of the request. */
export function withContext(logger: Logger, context: object): Logger {
  return {
    debug: (fields, message) => logger.debug({ ...context, ...fields }, message),
    info: (fields, message) => logger.info({ ...context, ...fields }, message),
    warn: (fields, message) => logger.warn({ ...context, ...fields }, message),
    error: (fields, message) => logger.error({ ...context, ...fields }, message),
  };
}
