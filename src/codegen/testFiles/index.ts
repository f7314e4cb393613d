/** Which files of a folder are tests. The editor asks for each file that is shown, so this loads no parser. */

const TEST_FILE =
  /(?:^|[\\/])(?:__tests__|__mocks__|tests?|spec|e2e|cypress)[\\/]|[._-](?:test|spec|e2e|cy)\.[cm]?[jt]sx?$/i;

/** In the App Router, folders are the path of an endpoint, which may be `/api/test`. */
const APP_ROUTE = /^(?=(?:.*[\\/])?route\.[cm]?[jt]sx?$)(?:.*?[\\/])?app[\\/]/;

/** The mark of a payment that Svc wrote. */
const MARK = 'svc-x402: payments';

/**
 * Whether a file is a test by its path: tests call the routes of others, and define none that anybody pays for. A file with a
 * payment of ours is none, wherever it is.
 * @param path with `/` or `\`, below the folder that is looked at, so that a folder that the user names is not a test by its own name
 */
export function isTestFile(path: string, text: string): boolean {
  return TEST_FILE.test(path) && !APP_ROUTE.test(path) && !text.includes(MARK);
}
