import { t } from '../words/index.ts';

/** How long ago, rounded, because a row that changes every second is hard to follow. */
export function timeAgo(at: Date, now: number): string {
  const seconds = Math.max(0, Math.floor((now - at.getTime()) / 1000));
  if (seconds < 60) return t('just now');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t('{0} min ago', minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return t('{0} h ago', hours);
  const days = Math.floor(hours / 24);
  return days === 1 ? t('yesterday') : t('{0} days ago', days);
}
