import type { Activity } from './activityOf.ts';

/** The last things that happened to payments, by endpoint. */
export interface ActivityLog {
  note(activity: Activity): void;
  /** Endpoints with activity, the last one first. */
  readonly urls: readonly string[];
  /**
   * What happened to an endpoint, the last first.
   * @param fits whether a URL is of that endpoint
   */
  of(fits: (url: string) => boolean): readonly Activity[];
}

/** URLs come from buyers: what they may fill is bounded. */
const MOST_URLS = 50;
const MOST_EACH = 100;

/** @param onNote called after each new one */
export function createActivityLog(onNote: (url: string) => void): ActivityLog {
  const byUrl = new Map<string, readonly Activity[]>();
  return {
    note(activity) {
      const { url, kind, hash } = activity;
      const before = byUrl.get(url) ?? [];
      // A settlement made here is reported here and in the log of the service.
      const known =
        kind === 'settled' && before.some((one) => one.kind === kind && one.hash === hash);
      if (known) return;
      byUrl.delete(url);
      byUrl.set(url, [activity, ...before].slice(0, MOST_EACH));
      const [oldest] = byUrl.keys();
      if (byUrl.size > MOST_URLS && oldest !== undefined) byUrl.delete(oldest);
      onNote(url);
    },
    get urls() {
      return [...byUrl.keys()].reverse();
    },
    of(fits) {
      const found = [...byUrl].flatMap(([url, activities]) => (fits(url) ? activities : []));
      return found.sort((a, b) => b.at - a.at).slice(0, MOST_EACH);
    },
  };
}
