import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { moment, timeOfDay } from './moment.ts';
import { translateWith } from './translate.ts';

describe('a date is shown in one form', () => {
  const at = new Date('2026-11-28T13:05:09Z');

  afterEach(() => translateWith('en', undefined));

  it("in the editor's language and the reader's time zone", () => {
    assert.match(moment(at, 'UTC'), /^Nov 28, 2026, 1:05\sPM$/);
    assert.match(moment(at, 'Asia/Tokyo'), /^Nov 28, 2026, 10:05\sPM$/);
    translateWith('de', {});
    assert.equal(moment(at, 'UTC'), '28.11.2026, 13:05');
  });

  it('in UTC where the zone is not known', () => {
    assert.equal(moment(at, 'Nowhere/Town'), moment(at, 'UTC'));
  });

  it('and a time of day on a 24-hour clock, with seconds', () => {
    assert.match(timeOfDay(at), /^\d\d:05:09$/);
  });
});
