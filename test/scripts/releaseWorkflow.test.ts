import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
const [, job = ''] = /\n {2}marketplaces:\n([\s\S]*?)(?=\n {2}\w+:\n|$)/.exec(workflow) ?? [];

describe('The release to both marketplaces', () => {
  it('authenticates with OIDC, because global Marketplace tokens end on 1 December 2026', () => {
    assert.match(job, /id-token: write/);
    assert.match(job, /uses: azure\/login@/);
    assert.match(job, /vsce publish --azure-credential --packagePath /);
    assert.match(job, /ovsx@\d+\.\d+\.\d+ publish --trusted-publishing /);
  });

  it('has no stored token', () => {
    assert.doesNotMatch(job, /secrets\.|_PAT\b|--pat\b/);
  });
});
