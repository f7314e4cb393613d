import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The Chromium of this machine, or the one that CHROMIUM names; `undefined` where there is none. */
export function chromiumProgram(): string | undefined {
  return process.env['CHROMIUM'] ?? PROGRAMS.find((path) => existsSync(path));
}

/** An empty folder for a browser's profile. */
export function openProfile(): string {
  return mkdtempSync(join(tmpdir(), 'svc-x402-chromium-'));
}

/**
 * Removes a profile after its browser has ended. The browser's own helpers outlive it by a moment and still write there, so
 * the removal is tried again for some seconds. A profile that stays even then is left to the system: no test is about it.
 */
export async function removeProfile(profile: string): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    try {
      await rm(profile, { recursive: true, force: true });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}
