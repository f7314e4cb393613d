import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Badge, type BadgeEvidence, isTemplate, nextBadge } from './badge.ts';

const evidence = (rest: Partial<BadgeEvidence>): BadgeEvidence => ({
  trust: { settlements: 1, ownerVerified: false },
  url: 'https://api.example/weather',
  local: false,
  sinceChangeMs: 60_000,
  ...rest,
});
const settled = { settlements: 1, ownerVerified: false };

describe('[spec: Editor sidebar/Badges] the badge', () => {
  const badge = (rest: Partial<BadgeEvidence>, previous?: Badge) =>
    nextBadge(previous, evidence(rest)).name;

  it('follows the table of its states', () => {
    assert.equal(badge({ trust: undefined }), 'Unknown');
    assert.equal(badge({ trust: { settlements: 0, ownerVerified: false } }), 'Unknown');
    assert.equal(badge({ trust: { settlements: 9, ownerVerified: true } }), 'Verified');
    assert.equal(badge({ sinceChangeMs: 1_000 }), 'Not verified yet');
    assert.equal(badge({ url: 'https://api.example/weather/:city' }), 'Not verified yet');
    assert.equal(badge({}), 'Unverified');
  });

  it('is Verified locally only on the embedded network', () => {
    const trust = { ...settled, localCheck: true };
    const url = 'http://localhost:3000/weather';
    assert.equal(badge({ trust, url, local: true }), 'Verified locally');
    assert.equal(badge({ trust, url, local: false }), 'Unverified');
  });

  it('the next payment does not make an unverified endpoint unconfirmed', () => {
    const unverified: Badge = { name: 'Unverified', reason: '' };
    assert.equal(badge({ sinceChangeMs: 1_000 }, unverified), 'Unverified');
  });

  it('every badge has a reason', () => {
    for (const rest of [
      {},
      { trust: undefined },
      { url: 'http://h/x' },
      { trust: { ...settled, ownerVerified: true } },
    ]) {
      assert.ok(nextBadge(undefined, evidence(rest)).reason.length > 10);
    }
    assert.match(nextBadge(undefined, evidence({ url: 'http://h/x' })).reason, /https/);
  });

  it('a template is recognised by its path, not by a port', () => {
    assert.equal(isTemplate('http://localhost:3000/weather'), false);
    assert.equal(isTemplate('http://localhost:3000/weather/:city'), true);
    assert.equal(isTemplate('https://h/{city}'), true);
  });
});
