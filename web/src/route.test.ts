import { expect, test } from 'vitest';

import { parseRoute } from './route';

test('addresses', () => {
  expect(parseRoute('')).toEqual({ page: 'import' });
  expect(parseRoute('#/review/abc?at=12')).toEqual({ page: 'review', id: 'abc', ply: 12 });
  expect(parseRoute('#/review/abc')).toEqual({ page: 'review', id: 'abc', ply: 0 });
  expect(parseRoute('#/review/../x')).toEqual({ page: 'import' });
});
